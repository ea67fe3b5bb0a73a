//! Operations on a pointer stack: `owned.rs`.

#![no_main]

use typed_pool::PointerStack as Pool;

#[path = "../../tests/model/operations.rs"]
mod operations;
mod owned;

/// In a pointer stack that slot is the lowest, so there is nothing to notice.
pub(crate) const ORDERS_ONE_SLOT: bool = true;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| owned::fuzz(bytes));
