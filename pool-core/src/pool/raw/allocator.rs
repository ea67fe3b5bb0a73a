//! A raw pool as an allocator of `allocator-api2`: memory for containers whose nodes are of one size.

use core::alloc::Layout;
use core::ptr::{self, NonNull};

use crate::base::allocator::{Blocks, allocators};
use crate::pool::raw::RawPool;
use crate::strategy::Strategy;

impl<S: Strategy> RawPool<S> {
    /// Whether a slot can be used as a block of this layout.
    fn fits(&self, block: Layout) -> bool {
        block.size() <= self.slot.size() && block.align() <= self.slot.align()
    }

    /// A whole slot.
    fn slice(&self, slot: NonNull<u8>) -> NonNull<[u8]> {
        NonNull::slice_from_raw_parts(slot, self.slot.size())
    }
}

/// A block without size.
fn nothing(block: Layout) -> NonNull<[u8]> {
    // SAFETY: an alignment is not 0.
    let at = unsafe { NonNull::new_unchecked(ptr::without_provenance_mut(block.align())) };
    NonNull::slice_from_raw_parts(at, 0)
}

allocators! {
    /// Serves every layout that fits a slot, and refuses the others. A block that grows or shrinks
    /// stays where it is. For containers whose nodes are allocated one by one.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::alloc::Layout;
    /// use allocator_api2::boxed::Box;
    /// use typed_pool::RawFreeList;
    ///
    /// struct Node<'a> {
    ///     value: u64,
    ///     next: Option<Box<Node<'a>, &'a RawFreeList>>,
    /// }
    ///
    /// let pool = RawFreeList::new(Layout::new::<Node>(), 2).unwrap();
    /// let last = Box::new_in(Node { value: 2, next: None }, &pool);
    /// let first = Box::new_in(Node { value: 1, next: Some(last) }, &pool);
    /// assert_eq!(first.value + first.next.as_ref().map_or(0, |next| next.value), 3);
    /// assert!(Box::try_new_in([0_u8; 100], &pool).is_err());
    /// drop(first);
    /// assert_eq!(pool.stats().live, 0);
    /// ```
    [S: Strategy] &RawPool<S>
}

// SAFETY: a block is a slot, which stays where it is and nobody else's until it is freed, or
// until the pool is reset or dropped; the pool is borrowed, so neither happens while there is
// a copy of the reference. Copies refer to the same pool.
unsafe impl<S: Strategy> Blocks for &RawPool<S> {
    #[inline]
    fn allocate(&self, layout: Layout) -> Option<NonNull<[u8]>> {
        if layout.size() == 0 {
            return Some(nothing(layout));
        }
        if !self.fits(layout) {
            return None;
        }
        self.take().map(|slot| self.slice(slot))
    }

    #[inline]
    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        if layout.size() != 0 {
            // SAFETY: a block with a size is a slot of this pool (`allocate`, `resize`), reached by
            // the pointer that was handed out (caller).
            unsafe { self.free(block) };
        }
    }

    /// It stays where it is, since every slot has all the room there is.
    unsafe fn resize(&self, block: NonNull<u8>, old: Layout, new: Layout) -> Option<NonNull<[u8]>> {
        if old.size() == 0 || new.size() == 0 {
            // SAFETY: passed on from the caller.
            return unsafe { self.relocate(block, old, new) };
        }
        self.fits(new).then(|| self.slice(block))
    }
}
