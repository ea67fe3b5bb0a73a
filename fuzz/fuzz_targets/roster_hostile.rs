//! Bytes that claim to be a roster, a secondary map or a handle: an error, or something that holds

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| typed_pool_fuzz::roster_hostile::run_bytes(bytes));
