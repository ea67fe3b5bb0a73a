//! The markers as allocators of `allocator-api2`: containers of any kind on pools by layout.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::allocator::allocator;
use crate::derived::by_layout::classes::Class;
use crate::derived::by_layout::{AnyPool, ByLayout, SharedByLayout, acquire, release};

allocator! {
    /// Blocks that the pools have slots for come from there, and others from the heap. A block that grows or shrinks stays
    /// where it is while its slot has room for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use allocator_api2::vec::Vec;
    /// use typed_pool::ByLayout;
    ///
    /// let mut numbers = Vec::new_in(ByLayout);
    /// numbers.extend(0..1000);
    /// assert_eq!(numbers[999], 999);
    /// ```
    [] ByLayout: allocate deallocate resize
}

allocator! {
    /// As [`ByLayout`], for containers that leave their thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::thread;
    /// use allocator_api2::boxed::Box;
    /// use typed_pool::SharedByLayout;
    ///
    /// let number = Box::new_in(7, SharedByLayout);
    /// assert_eq!(thread::spawn(move || *number).join().unwrap(), 7);
    /// ```
    [] SharedByLayout: allocate deallocate resize
}

/// Room for a layout, with all the bytes that it has.
fn slice(room: NonNull<u8>, layout: Layout) -> NonNull<[u8]> {
    let bytes = Class::of(layout).map_or(layout.size(), |class| class.layout().size());
    NonNull::slice_from_raw_parts(room, bytes)
}

// These keep the promises that `allocator` asks for: slots are there for ever, as `AnyPool` promises, and blocks of the heap do not
// depend on the marker. All markers of a type are alike, and `ByLayout` is not `Send`, so a thread's slots stay in their thread.

#[inline]
#[track_caller]
fn allocate<P: AnyPool>(_: &P, layout: Layout) -> Option<NonNull<[u8]>> {
    acquire::<[u8], P>(layout, false).map(|room| slice(room, layout))
}

/// # Safety
///
/// As for `Allocator::deallocate`.
#[inline]
unsafe fn deallocate<P: AnyPool>(_: &P, block: NonNull<u8>, layout: Layout) {
    let block = match Class::of(layout) {
        Some(class) => P::reach(class, block),
        None => block,
    };
    // SAFETY: the caller gives the block up; the pointer is the pool's own (`reach`), or the heap's. A layout between the size that was
    // asked for and the one that was given has the same class.
    unsafe { release::<[u8], P>(block, layout, false) };
}

/// # Safety
///
/// As for `Allocator::grow`, or as for `Allocator::shrink`.
unsafe fn resize<P: AnyPool>(
    _: &P,
    block: NonNull<u8>,
    old: Layout,
    new: Layout,
) -> Option<NonNull<[u8]>> {
    match (Class::of(old), Class::of(new)) {
        // Slots of a class suit every alignment for which the class is chosen.
        (Some(before), Some(now)) if before == now => Some(slice(P::reach(now, block), new)),
        (None, None) if old.size() > 0 && new.size() > 0 && old.align() == new.align() => {
            // SAFETY: a block of the heap of this layout (caller), and the new size is not 0, nor larger than a layout's may be.
            let resized = unsafe { alloc::alloc::realloc(block.as_ptr(), old, new.size()) };
            NonNull::new(resized).map(|block| slice(block, new))
        }
        _ => None,
    }
}
