//! Operations on a free list: see `tests/owned/model/operations.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| typed_pool_fuzz::free_list::run_bytes(bytes));
