//! Operations on a pointer stack: see `tests/owned/model/operations.rs`.

#![no_main]

use typed_pool::PointerStack as Pool;

#[path = "../../tests/owned/model/operations.rs"]
mod operations;
mod owned;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| owned::fuzz(bytes));
