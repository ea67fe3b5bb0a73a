//! Pools whose element is known only at run time: what they refuse, and what they promise.

use std::alloc::Layout;
use std::ptr::NonNull;

use typed_pool::pools::SlotUse;
use typed_pool::{RawFreeList, RawPointerStack, RawPoolError};

use common::{RawPool, WORD, bytes, fill, layout};

mod common;
mod model;
mod operations;

/// Both, for a check that holds for both.
macro_rules! for_both {
    ($check:ident) => {
        $check::<RawFreeList>();
        $check::<RawPointerStack>();
    };
}

#[test]
fn each_refusal_is_an_error_of_its_own_with_its_numbers() {
    fn check<P: RawPool>() {
        let refused = |size, align, count| {
            let error = P::new(layout(size, align), count).map(|_| ()).unwrap_err();
            (error, error.to_string())
        };
        let (error, text) = refused(40, 16, 1);
        assert_eq!(error, RawPoolError::SizeNotMultiple { size: 40, align: 16 });
        assert!(text.contains("40 bytes") && text.contains("aligned to 16"), "{text}");
        let (error, text) = refused(32, 8, 0);
        assert_eq!(error, RawPoolError::NoSlots);
        assert!(text.contains("0 slots"), "{text}");
        let most = usize::MAX / 32;
        let (error, text) = refused(32, 8, most);
        assert_eq!(error, RawPoolError::TooLarge { size: 32, count: most });
        assert!(text.contains("32 bytes") && text.contains(&most.to_string()), "{text}");
        let huge = isize::MAX.unsigned_abs() - 7;
        assert!(matches!(refused(huge, 8, 1).0, RawPoolError::TooLarge { .. }));
        let (error, text) = refused(0, 1, 1);
        assert!(matches!(error, RawPoolError::TooSmall { size: 0, .. }));
        assert!(text.contains("0 bytes"), "{text}");
        assert!(matches!(P::with_capacity(layout(32, 8), 0), Err(RawPoolError::NoSlots)));
        assert!(matches!(
            P::with_capacity(layout(32, 8), most),
            Err(RawPoolError::TooLarge { .. })
        ));
    }
    for_both!(check);

    let small = RawFreeList::new(layout(WORD - 1, 1), 5).unwrap_err();
    assert_eq!(small, RawPoolError::TooSmall { size: WORD - 1, least: WORD });
    assert!(small.to_string().contains(&format!("{} bytes are too small", WORD - 1)), "{small}");
    assert!(RawFreeList::new(layout(WORD, 1), 5).is_ok());
    assert!(RawPointerStack::new(layout(WORD - 1, 1), 5).is_ok());
    // The pointers to elements of a byte are what does not fit.
    let bytes = RawPointerStack::new(layout(1, 1), isize::MAX.unsigned_abs() / 2).unwrap_err();
    assert!(matches!(bytes, RawPoolError::TooLarge { size: 1, .. }), "{bytes}");
}

#[cfg(target_pointer_width = "64")]
#[test]
fn a_heap_without_room_is_an_error() {
    fn check<P: RawPool>() {
        // More than any machine maps, less than overflows.
        let error = P::new(layout(1 << 12, 8), 1 << 43).map(|_| ()).unwrap_err();
        assert!(matches!(error, RawPoolError::NoMemory { bytes } if bytes >= 1 << 55), "{error}");
    }
    // A sanitizer's heap ends the program where others return null.
    if !option_env!("RUSTFLAGS").is_some_and(|flags| flags.contains("sanitizer")) {
        for_both!(check);
    }
}

#[test]
fn an_element_that_is_aligned_less_than_a_link_is_padded_in_a_free_list_alone() {
    let element = layout(12, 4);
    let list = RawFreeList::new(element, 10).unwrap();
    let stack = RawPointerStack::new(element, 10).unwrap();
    assert_eq!(list.stats().slot_bytes, 12_usize.next_multiple_of(WORD));
    assert_eq!(stack.stats().slot_bytes, 12);
    let [in_list, in_stack] = [list.alloc().unwrap(), stack.alloc().unwrap()];
    assert_eq!((in_list.len(), in_stack.len()), (12, 12));
}

#[test]
fn a_slot_goes_back_by_any_type_of_pointer() {
    fn check<P: RawPool>(free: impl Fn(&P, NonNull<[u8]>)) {
        let pool = P::new(Layout::new::<[u64; 2]>(), 1).unwrap();
        let block = pool.alloc().unwrap();
        assert!(pool.alloc().is_none());
        fill(block, 1);
        free(&pool, block);
        assert_eq!(pool.alloc(), Some(block));
    }
    // SAFETY: the block came from the pool, and is not used after this.
    check::<RawFreeList>(|pool, block| unsafe { pool.free(block.cast::<[u64; 2]>()) });
    // SAFETY: as above.
    check::<RawPointerStack>(|pool, block| unsafe { pool.free(block.cast::<u8>()) });
}

#[test]
#[cfg_attr(feature = "hardened", ignore = "freed memory is filled")]
fn freed_memory_is_never_written_by_a_pointer_stack() {
    /// How many of a thousand blocks come back with other bytes than they were freed with.
    fn changed<P: RawPool>(size: usize) -> usize {
        let pool = P::with_capacity(layout(size, 1), 16).unwrap();
        let kept = pool.alloc().unwrap();
        fill(kept, 0);
        let blocks: Vec<_> = (0..1000).map(|_| pool.alloc().unwrap()).collect();
        for &block in &blocks {
            fill(block, 0xA7);
        }
        for &block in &blocks {
            // SAFETY: the block came from this pool. It is looked at again when it was handed out
            // again.
            unsafe { pool.free(block) };
        }
        // The first chunk stays, which is never emptied.
        pool.trim();
        let vacant = pool.stats().capacity - 1;
        let again: Vec<_> = (0..vacant).map(|_| pool.alloc().unwrap()).collect();
        assert!(!again.is_empty() && again.iter().all(|block| blocks.contains(block)));
        again.iter().filter(|block| bytes(**block).iter().any(|&byte| byte != 0xA7)).count()
    }
    for size in [1, 3, WORD, 40, 64] {
        assert_eq!(changed::<RawPointerStack>(size), 0, "of {size} bytes");
    }
    // The test would see it.
    assert!(changed::<RawFreeList>(64) > 0);
}

#[test]
fn a_pool_shows_its_state_as_the_original_did() {
    fn check<P: RawPool>() {
        let pool = P::new(layout(32, 16), 5).unwrap();
        let [_, b] = [(); 2].map(|()| pool.alloc().unwrap());
        // SAFETY: the block came from this pool, and is not used.
        unsafe { pool.free(b) };
        let shown = pool.to_string();
        let head =
            format!("{} of 5 elements, 32 bytes each, aligned to 16: 1 used, 4 free; ", P::NAME);
        assert!(shown.starts_with(&head), "{shown}");
        let map = pool.map();
        let uses: Vec<_> = map.chunks().flat_map(|chunk| chunk.slots().to_vec()).collect();
        let unused = SlotUse::NeverUsed;
        assert_eq!(uses, [SlotUse::Live, SlotUse::Vacant, unused, unused, unused]);
        assert!(pool.owns(b.cast::<u8>().as_ptr()));
    }
    for_both!(check);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic = "is in no chunk of the pool of `RawPointerStack`"]
fn a_foreign_block_is_refused_in_a_debug_build() {
    let [ours, theirs] = [(); 2].map(|()| RawPointerStack::new(layout(8, 8), 4).unwrap());
    let block = theirs.alloc().unwrap();
    // SAFETY: none: this is what the pool is to notice before it does anything.
    unsafe { ours.free(block) };
}
