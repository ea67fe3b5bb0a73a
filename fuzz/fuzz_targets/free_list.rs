//! Operations on a free list: see `tests/owned/model/operations.rs`.

#![no_main]

use typed_pool::FreeList as Pool;

#[path = "../../tests/owned/model/operations.rs"]
mod operations;
mod owned;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| owned::fuzz(bytes));
