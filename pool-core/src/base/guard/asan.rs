//! What AddressSanitizer is told, by the functions that its runtime has for that.

use core::ffi::c_void;

unsafe extern "C" {
    fn __asan_poison_memory_region(start: *const c_void, bytes: usize);
    fn __asan_unpoison_memory_region(start: *const c_void, bytes: usize);
}

#[inline(always)]
pub(super) fn poison(start: *mut u8, bytes: usize) {
    // SAFETY: the call changes the sanitizer's shadow of memory that belongs to the calling pool, never the memory
    // itself.
    unsafe { __asan_poison_memory_region(start.cast(), bytes) };
}

#[inline(always)]
pub(super) fn unpoison(start: *mut u8, bytes: usize) {
    // SAFETY: as in `poison`.
    unsafe { __asan_unpoison_memory_region(start.cast(), bytes) };
}
