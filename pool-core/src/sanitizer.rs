//! What AddressSanitizer is told about a pool's memory.
//!
//! To the sanitizer a pool is one long block that is valid from end to end. So that the use of a
//! freed slot is reported all the same, a pool poisons what it takes back and unpoisons what it
//! hands out. Without the sanitizer both calls are empty.

#[cfg(pool_asan)]
mod runtime {
    use core::ffi::c_void;

    unsafe extern "C" {
        pub(super) fn __asan_poison_memory_region(start: *const c_void, bytes: usize);
        pub(super) fn __asan_unpoison_memory_region(start: *const c_void, bytes: usize);
    }
}

/// Marks `bytes` bytes at `start` as not to be touched.
#[inline(always)]
pub(crate) fn poison(start: *mut u8, bytes: usize) {
    #[cfg(pool_asan)]
    // SAFETY: the call changes the sanitizer's shadow of memory that belongs to the calling pool,
    // never the memory itself.
    unsafe {
        runtime::__asan_poison_memory_region(start.cast(), bytes);
    }
    #[cfg(not(pool_asan))]
    let _ = (start, bytes);
}

/// Marks `bytes` bytes at `start` as fit for use.
#[inline(always)]
pub(crate) fn unpoison(start: *mut u8, bytes: usize) {
    #[cfg(pool_asan)]
    // SAFETY: as in `poison`.
    unsafe {
        runtime::__asan_unpoison_memory_region(start.cast(), bytes);
    }
    #[cfg(not(pool_asan))]
    let _ = (start, bytes);
}
