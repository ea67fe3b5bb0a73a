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

#[cfg(all(test, pool_asan))]
mod tests {
    use core::ffi::c_void;

    use alloc::vec::Vec;

    use crate::{FrameBox, FrameStack, FreeList, PoolBox};

    unsafe extern "C" {
        fn __asan_address_is_poisoned(address: *const c_void) -> i32;
    }

    fn is_poisoned<T>(element: *const T) -> bool {
        [0, size_of::<T>() - 1].iter().any(|&byte| {
            let address = element.wrapping_byte_add(byte).cast();
            // SAFETY: the call looks at the sanitizer's shadow only.
            unsafe { __asan_address_is_poisoned(address) != 0 }
        })
    }

    #[test]
    fn what_is_vacant_is_poisoned_and_what_is_live_is_not() {
        let pool = FreeList::<[u8; 24]>::with_capacity(10);
        let mut boxes: Vec<_> = (0..10).map(|n| Some(pool.alloc([n; 24]))).collect();
        let at: Vec<_> = boxes.iter().flatten().map(PoolBox::as_ptr).collect();
        for freed in [3, 0, 7, 9, 1] {
            boxes[freed] = None;
            for (slot, &at) in boxes.iter().zip(&at) {
                assert_eq!(is_poisoned(at), slot.is_none());
            }
        }
        pool.trim();
        let again: Vec<_> = (0..3).map(|n| pool.alloc([n; 24])).collect();
        assert!(again.iter().all(|b| !is_poisoned(PoolBox::as_ptr(b))));
        assert_eq!(at.iter().filter(|&&at| is_poisoned(at)).count(), 2);
        drop((boxes, again));
        assert!(at.iter().all(|&at| is_poisoned(at)));

        let fresh = FreeList::<[u8; 24]>::with_capacity(2);
        let first = fresh.alloc([0; 24]);
        assert!(is_poisoned(PoolBox::as_ptr(&first).wrapping_add(1)), "never used");
    }

    #[test]
    fn what_a_frame_stack_has_not_handed_out_is_poisoned() {
        let mut stack = FrameStack::bounded(64);
        let first = FrameBox::into_raw(stack.alloc([1_u64; 2]));
        let next = first.wrapping_add(1);
        assert!(!is_poisoned(first) && is_poisoned(next));
        let last = stack.alloc_slice(&[7_u8; 3]).as_ptr();
        assert!(!is_poisoned(last) && is_poisoned(last.wrapping_add(3)));
        let mark = stack.mark();
        let freed = stack.alloc(1_u64);
        let at = FrameBox::as_ptr(&freed);
        assert!(!is_poisoned(at));
        assert!(stack.free(freed));
        assert!(is_poisoned(at) && !is_poisoned(last));
        stack.alloc(2_u64);
        // SAFETY: what is newer than the mark is not used any more.
        assert!(unsafe { stack.rewind(mark) });
        assert!(is_poisoned(at) && !is_poisoned(last));
        stack.scope(|scope| assert!(!is_poisoned(FrameBox::as_ptr(&scope.alloc(3_u64)))));
        assert!(is_poisoned(at) && !is_poisoned(last));
        stack.reset();
        assert!(is_poisoned(first) && is_poisoned(last));
    }
}
