//! What AddressSanitizer is told about a pool's memory.
//!
//! To the sanitizer a pool is one long block that is valid from end to end. So that the use of a
//! freed slot is reported all the same, a pool poisons what it takes back and unpoisons what it
//! hands out. Without the sanitizer both calls are empty.
//!
//! The sanitizer keeps its account in granules of 8 bytes, of each of which it knows how many bytes from
//! the beginning are fit for use. So slots of a multiple of 8 bytes are poisoned exactly. Of smaller or
//! odd ones, which a pointer stack has, the runtime promises less: "not guaranteed to poison the entire
//! region", and to unpoison perhaps more. A live byte is never poisoned by that, since a granule is cut
//! off only where nothing behind is fit for use; some uses of freed slots go unreported.

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

    use crate::{FreeList, PointerStack, PoolBox, RawPointerStack};

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

    /// Whether live bytes are fit for use, and the freed slots' are not: all of them where slots are
    /// granules, and else whatever the sanitizer makes of it.
    macro_rules! check {
        ($Pool:ident, $size:literal) => {
            let pool = $Pool::<[u8; $size]>::with_capacity(10);
            let is_exact = $size % 8 == 0;
            let mut boxes: Vec<_> = (0..10).map(|n| Some(pool.alloc([n; $size]))).collect();
            let at: Vec<_> = boxes.iter().flatten().map(PoolBox::as_ptr).collect();
            for freed in [3, 0, 7, 9, 1] {
                boxes[freed] = None;
                for (slot, &at) in boxes.iter().zip(&at) {
                    match slot {
                        Some(_) => assert!(!is_poisoned(at)),
                        None => assert!(is_poisoned(at) || !is_exact),
                    }
                }
            }
            pool.trim();
            let again: Vec<_> = (0..3).map(|n| pool.alloc([n; $size])).collect();
            assert!(again.iter().all(|b| !is_poisoned(PoolBox::as_ptr(b))));
            assert!(boxes.iter().flatten().all(|b| !is_poisoned(PoolBox::as_ptr(b))));
            if is_exact {
                assert_eq!(at.iter().filter(|&&at| is_poisoned(at)).count(), 2);
            }
            drop((boxes, again));
            assert!(at.iter().all(|&at| is_poisoned(at)) || !is_exact);

            let fresh = $Pool::<[u8; $size]>::with_capacity(2);
            let first = fresh.alloc([0; $size]);
            let never_used = PoolBox::as_ptr(&first).wrapping_add(1);
            assert!(is_poisoned(never_used) || !is_exact);
        };
    }

    #[test]
    fn what_is_vacant_is_poisoned_and_what_is_live_is_not() {
        check!(FreeList, 24);
        check!(PointerStack, 24);
        check!(PointerStack, 8);
    }

    #[test]
    fn what_is_live_is_not_poisoned_by_its_neighbours() {
        check!(PointerStack, 1);
        check!(PointerStack, 3);
        check!(PointerStack, 4);
        check!(PointerStack, 13);
    }

    #[test]
    fn a_reset_poisons_what_was_taken() {
        let element = core::alloc::Layout::new::<[u64; 3]>();
        let mut pool = RawPointerStack::new(element, 4).unwrap();
        let taken = pool.alloc().unwrap().cast::<[u64; 3]>();
        assert!(!is_poisoned(taken.as_ptr()));
        pool.reset();
        assert!(is_poisoned(taken.as_ptr()));
    }
}
