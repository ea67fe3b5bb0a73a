//! Operations on a roster that is written down, read again, and goes on as if nothing had been.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| typed_pool_fuzz::roster_restored::run_bytes(bytes));
