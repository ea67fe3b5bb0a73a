//! Pools that their boxes keep alive.

use core::ptr::NonNull;

use alloc::rc::Rc;

use crate::base::exhausted::Exhausted;
use crate::pointer::pool::{Pool, sealed};
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

impl<T, S> sealed::Sealed for Rc<TypedPool<T, S>> {}

/// A box that keeps its pool alive: see [`PoolBox::new_in`](crate::PoolBox::new_in).
// SAFETY: slots come from the chunks of the pool, which stays where it is, undropped, while an `Rc` to it is there, or was
// forgotten. `Rc::get_mut` and the like, which could replace the pool, ask for there being no other.
unsafe impl<T, S: Strategy> Pool<T> for Rc<TypedPool<T, S>> {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        (&**self).acquire()
    }

    unsafe fn verify(&self, slot: NonNull<T>) {
        // SAFETY: a `T` has a size.
        unsafe { (&**self).verify(slot) };
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller: a slot of the pool that the `Rc` leads to.
        unsafe { (&**self).release(slot) };
    }

    fn exhausted(&self) -> Exhausted {
        Pool::<T>::exhausted(&&**self)
    }
}
