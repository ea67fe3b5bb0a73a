//! A slot: room for one element, or, while it is vacant, for the link to the next vacant slot.

use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr;

use crate::base::watch::hardened::{self, IS_HARDENED};
use crate::base::watch::{sanitizer, sealed_link};

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
    /// With the feature `hardened` also null if something was written over it, that is, if it does not lead to a slot
    /// according to `is_slot`. Without the feature `is_slot` is not asked.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk in which [`Link::write`] has written.
    #[inline(always)]
    pub(crate) unsafe fn read(slot: *mut Self, is_slot: impl FnOnce(usize) -> bool) -> *mut Self {
        sanitizer::reveal(slot.cast(), size_of::<Self>());
        // SAFETY: a link was written there and the slot has been vacant since (caller).
        let link = unsafe { slot.read() };
        sanitizer::poison(slot.cast(), size_of::<Self>());
        if !IS_HARDENED {
            return link.0;
        }
        let next = link.0.map_addr(|link| sealed_link::decode(link, slot.addr()));
        if next.is_null() || is_slot(next.addr()) { next } else { ptr::null_mut() }
    }

    /// Reads the link as [`Link::read`] does, in a slot that leaves its list.
    ///
    /// # Safety
    ///
    /// As for [`Link::read`].
    #[inline(always)]
    pub(crate) unsafe fn take(slot: *mut Self, is_slot: impl FnOnce(usize) -> bool) -> *mut Self {
        // SAFETY: passed on from the caller.
        let next = unsafe { Self::read(slot, is_slot) };
        if IS_HARDENED {
            // What was written over a link is left, to be found when the slot is handed out; the rest of the list is
            // lost.
            // SAFETY: as in `read`.
            unsafe { Self::exchange(slot, Self::encoded(slot, next), Self::FILL) };
        }
        next
    }

    /// Makes the vacant slot at `slot` link to `next`.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk, and may be used to write a link there.
    #[inline(always)]
    pub(crate) unsafe fn write(slot: *mut Self, next: *mut Self) {
        if IS_HARDENED {
            // If something was written over the fill, that is left to be found, and the list ends there.
            // SAFETY: passed on from the caller; a vacant slot is filled.
            unsafe { Self::exchange(slot, Self::FILL, Self::encoded(slot, next)) };
            return;
        }
        sanitizer::unpoison(slot.cast(), size_of::<Self>());
        // SAFETY: the slot is large enough and aligned for a link (`Slot`), and nobody else looks
        // at a vacant slot.
        unsafe { slot.write(Self(next)) };
        sanitizer::poison(slot.cast(), size_of::<Self>());
    }
}

/// In free memory that is filled: with the feature `hardened`.
impl Link {
    /// What lies where there is no link.
    const FILL: *mut Self =
        ptr::without_provenance_mut(usize::from_ne_bytes([hardened::FILL; size_of::<usize>()]));

    /// `next`, as it stands in `slot`.
    fn encoded(slot: *mut Self, next: *mut Self) -> *mut Self {
        next.map_addr(|next| sealed_link::encode(next, slot.addr()))
    }

    /// Replaces a link, to null or to a slot according to `is_slot`, by the fill; returns whether the fill is there now,
    /// which says that nothing was written over it.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot of a living chunk; it was filled, and [`Link::write`] may have written in it since.
    pub(crate) unsafe fn clear(slot: *mut Self, is_slot: impl FnOnce(usize) -> bool) -> bool {
        sanitizer::reveal(slot.cast(), size_of::<Self>());
        // SAFETY: all of the slot was written to (caller), and nobody else looks at a vacant one.
        let found = unsafe { slot.read() }.0;
        sanitizer::poison(slot.cast(), size_of::<Self>());
        let next = sealed_link::decode(found.addr(), slot.addr());
        let is_link = found.addr() != Self::FILL.addr() && (next == 0 || is_slot(next));
        if is_link {
            // SAFETY: as above.
            unsafe { Self::exchange(slot, found, Self::FILL) };
        }
        is_link || found.addr() == Self::FILL.addr()
    }

    /// Replaces `from` by `to`, unless something else is there.
    ///
    /// # Safety
    ///
    /// `slot` is a vacant slot whose first word was written to.
    unsafe fn exchange(slot: *mut Self, from: *mut Self, to: *mut Self) {
        sanitizer::reveal(slot.cast(), size_of::<Self>());
        // SAFETY: the slot is large enough and aligned for a link (`Slot`), and nobody else looks at a
        // vacant slot.
        if unsafe { slot.read() }.0 == from {
            // SAFETY: as above.
            unsafe { slot.write(Self(to)) };
        }
        sanitizer::poison(slot.cast(), size_of::<Self>());
    }
}
