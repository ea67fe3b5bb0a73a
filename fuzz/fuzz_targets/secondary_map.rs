#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| typed_pool_fuzz::secondary_map::run_bytes(bytes));
