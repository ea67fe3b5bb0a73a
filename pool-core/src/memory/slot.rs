//! A slot: room for one element, or, while it is vacant, for the link to the next vacant slot.

use core::alloc::Layout;
use core::mem::ManuallyDrop;

use crate::base::watch::sanitizer;

/// The layout of a slot for `T`: at least a [`Link`] in size and alignment.
///
/// Never constructed: it is there for its size and alignment, which the compiler computes.
#[repr(C)]
pub(crate) union Slot<T> {
    _link: Link,
    _element: ManuallyDrop<T>,
}

impl<T> Slot<T> {
    pub(crate) const LAYOUT: Layout = Layout::new::<Self>();
}

/// The link that a vacant slot holds: the next vacant slot, null at the list's end.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Link(*mut Self);

impl Link {
    /// Reads the link in the vacant slot at `slot`.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk in which [`Link::write`] has written.
    #[inline(always)]
    pub(crate) unsafe fn read(slot: *mut Self) -> *mut Self {
        sanitizer::reveal(slot.cast(), size_of::<Self>());
        // SAFETY: a link was written there and the slot has been vacant since (caller).
        let link = unsafe { slot.read() };
        sanitizer::poison(slot.cast(), size_of::<Self>());
        link.0
    }

    /// Makes the vacant slot at `slot` link to `next`.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk, and may be used to write a link there.
    #[inline(always)]
    pub(crate) unsafe fn write(slot: *mut Self, next: *mut Self) {
        sanitizer::unpoison(slot.cast(), size_of::<Self>());
        // SAFETY: the slot is large enough and aligned for a link (`Slot`), and nobody else looks
        // at a vacant slot.
        unsafe { slot.write(Self(next)) };
        sanitizer::poison(slot.cast(), size_of::<Self>());
    }
}
