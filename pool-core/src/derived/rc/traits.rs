//! The traits that `Arc` and `Rc` have, by way of the element.

use core::mem::ManuallyDrop;
use core::ops::Deref;
use core::panic::{RefUnwindSafe, UnwindSafe};

#[cfg(feature = "serde")]
use serde::de::{Deserialize, Deserializer};

use crate::derived::rc::{CountedPool, RefCounted, RefCountedWeak};
use crate::pointer::PoolMarker;
use crate::pointer::boxed::PoolBox;
use crate::pointer::boxed::traits::pointer_traits;
use crate::pointer::ref_counts::Count;
use crate::pointer::unsize::{Unsize, unsized_element};

impl<T: ?Sized, C: Count, P: PoolMarker<T>> Deref for RefCounted<T, C, P> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the element lives as long as one of its owners, and is not written to during that time.
        unsafe { self.element.as_ref() }
    }
}

impl<T: Default, C: Count, P: CountedPool<T, C>> Default for RefCounted<T, C, P> {
    #[inline]
    #[track_caller]
    fn default() -> Self {
        Self::from(PoolBox::new_with(T::default))
    }
}

impl<T, C: Count, P: CountedPool<T, C>> From<T> for RefCounted<T, C, P> {
    #[inline]
    #[track_caller]
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

pointer_traits! {
    /// Compares the elements by `T::eq`, even if both pointers are to the same one.
    ///
    /// `Rc` and `Arc` compare their addresses first where `T: Eq`. Std does that by specialisation, which stable Rust does not
    /// have. Where it matters, call [`RefCounted::ptr_eq`] first.
    [T: ?Sized, C: Count, P: PoolMarker<T>] RefCounted<T, C, P>
}

// A panic that a thread survives has not interrupted the counts.
impl<T: RefUnwindSafe + ?Sized, C: Count, P: PoolMarker<T>> UnwindSafe for RefCounted<T, C, P> {}
impl<T: RefUnwindSafe + ?Sized, C: Count, P: PoolMarker<T>> RefUnwindSafe for RefCounted<T, C, P> {}

// SAFETY: the coercion does not change the address, which is checked.
unsafe impl<T: ?Sized, U: ?Sized, C: Count, P> Unsize<T, U, RefCounted<U, C, P::Of<U>>>
    for RefCounted<T, C, P>
where
    P: PoolMarker<T, Of<U>: PoolMarker<U>>,
{
    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> RefCounted<U, C, P::Of<U>> {
        let this = ManuallyDrop::new(self);
        RefCounted::of_element(unsized_element(this.element, coerce))
    }
}

// SAFETY: as above.
unsafe impl<T: ?Sized, U: ?Sized, C: Count, P> Unsize<T, U, RefCountedWeak<U, C, P::Of<U>>>
    for RefCountedWeak<T, C, P>
where
    P: PoolMarker<T, Of<U>: PoolMarker<U>>,
{
    #[inline(always)]
    unsafe fn unsize(
        self,
        coerce: impl FnOnce(*mut T) -> *mut U,
    ) -> RefCountedWeak<U, C, P::Of<U>> {
        let this = ManuallyDrop::new(self);
        RefCountedWeak::of_element(unsized_element(this.pointer.element, coerce))
    }
}

/// Reads an element into a slot of its own, as a [`PoolBox`] does: pointers that shared an element no longer share it.
#[cfg(feature = "serde")]
impl<'de, T: Deserialize<'de>, C: Count, P: CountedPool<T, C>> Deserialize<'de>
    for RefCounted<T, C, P>
{
    #[track_caller]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        PoolBox::deserialize(deserializer).map(Self::from)
    }
}
