//! Operations on a free list: `owned.rs`.

#![no_main]

use typed_pool::FreeList as Pool;

#[path = "../../tests/model/operations.rs"]
mod operations;
mod owned;

/// A free list does not notice that it is empty again of the only slot that was used.
pub(crate) const ORDERS_ONE_SLOT: bool = false;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| owned::fuzz(bytes));
