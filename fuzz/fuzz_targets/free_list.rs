#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| typed_pool_fuzz::free_list::run_bytes(bytes));
