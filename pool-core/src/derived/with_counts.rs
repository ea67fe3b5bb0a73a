//! The contents of a slot of a derived pool: an element alone, or with room for counts before it (`#[pool(rc)]`).

use core::mem::{MaybeUninit, offset_of};
use core::ptr::NonNull;

use crate::pointer::ref_counts::{Atomic, Counts, Plain};

/// A slot with room for a `T`.
///
/// # Safety
///
/// A `T` has room in `Self`, `OFFSET` bytes from its beginning.
#[doc(hidden)]
pub unsafe trait Holds<T>: Sized + 'static {
    /// The element's offset, in bytes.
    const OFFSET: usize;
}

// SAFETY: a `T` is where it begins.
unsafe impl<T: 'static> Holds<T> for T {
    const OFFSET: usize = 0;
}

// SAFETY: it is a field.
unsafe impl<T: 'static> Holds<T> for WithCounts<T> {
    const OFFSET: usize = offset_of!(Self, element);
}

/// An element with room for its counts before it.
///
/// A free list writes its link where the counts were, and never into an element that was dropped.
#[doc(hidden)]
#[repr(C)]
pub struct WithCounts<T> {
    /// Or padding, if the element is aligned to more than the counts' size: the counts end where the element begins.
    _counts: RefCounts,
    element: T,
}

/// The room for the counts of an element: right before it, however the element is aligned, so they are found without its type.
/// Good only if the slot is a [`WithCounts`], and the pointer reaches it. Then it is aligned: the size of the counts is a multiple of
/// their alignment, and so is the place of the element, which comes after them in a struct.
#[inline(always)]
pub(crate) fn counts_before<T: ?Sized>(element: NonNull<T>) -> *mut RefCounts {
    element.as_ptr().cast::<RefCounts>().wrapping_sub(1)
}

/// Room for the counts of an element, of either kind. Written when the element is first shared.
#[repr(transparent)]
pub(crate) struct RefCounts(MaybeUninit<Counts<Atomic>>);

const _: () = assert!(size_of::<Counts<Plain>>() <= size_of::<RefCounts>());
const _: () = assert!(align_of::<Counts<Plain>>() <= align_of::<RefCounts>());
