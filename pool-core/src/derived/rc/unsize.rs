//! Shared elements that become trait objects.

use core::mem::ManuallyDrop;

use crate::derived::rc::{PoolMarker, RefCounted, RefCountedWeak};
use crate::pointer::counter::Count;
use crate::pointer::pool::Pool;
use crate::pointer::unsize::{Unsize, UnsizeTo, unsized_element};

impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> Unsize for RefCounted<T, C, P> {
    type Element = T;
}

// SAFETY: the coercion does not change the address, which is checked.
unsafe impl<T, U, C, P> UnsizeTo<U> for RefCounted<T, C, P>
where
    T: ?Sized,
    U: ?Sized,
    C: Count,
    P: Pool<T> + Pool<U> + PoolMarker,
{
    type To = RefCounted<U, C, P>;

    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> RefCounted<U, C, P> {
        let this = ManuallyDrop::new(self);
        RefCounted::of_element(unsized_element(this.element, coerce))
    }
}

impl<T: ?Sized, C: Count, P: Pool<T> + PoolMarker> Unsize for RefCountedWeak<T, C, P> {
    type Element = T;
}

// SAFETY: as above.
unsafe impl<T, U, C, P> UnsizeTo<U> for RefCountedWeak<T, C, P>
where
    T: ?Sized,
    U: ?Sized,
    C: Count,
    P: Pool<T> + Pool<U> + PoolMarker,
{
    type To = RefCountedWeak<U, C, P>;

    #[inline(always)]
    unsafe fn unsize(self, coerce: impl FnOnce(*mut T) -> *mut U) -> RefCountedWeak<U, C, P> {
        let this = ManuallyDrop::new(self);
        RefCountedWeak::of_element(unsized_element(this.element, coerce))
    }
}
