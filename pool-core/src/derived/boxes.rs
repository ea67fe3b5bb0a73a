//! `PoolBox` and `Vacant` of a type's own pool: [`Global`] as a pool, and when they may be sent.

use core::ptr::NonNull;

use crate::base::exhausted::Exhausted;
use crate::derived::object::{PoolObject, StaticPoolObject, WayHome};
use crate::pointer::boxed::PoolBox;
use crate::pointer::boxed::Vacant;
use crate::pointer::pool::{Global, Pool};

/// The way to the pool of an element, which may be gone already, or not there yet.
///
/// # Safety
///
/// If `T` has no size, `element` came from its type's pool, as one to the `T` that it was.
#[inline(always)]
unsafe fn way_home<T: PoolObject + ?Sized>(element: NonNull<T>) -> WayHome {
    // SAFETY: the slot is the caller's, aligned and large enough, and nothing else writes to it meanwhile. Whether there is
    // an element does not matter: it is its type that answers.
    unsafe { element.as_ref() }.__way_home()
}

// SAFETY: what `T::__POOL` promises; it is a constant, so it is one and the same pool. What has no size knows the pool of
// the type that it was (`PoolObject`).
unsafe impl<T: PoolObject + ?Sized> Pool<T> for Global {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>>
    where
        T: Sized,
    {
        T::__acquire()
    }

    #[track_caller]
    unsafe fn verify(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        unsafe { way_home(slot) }.verify(slot.cast());
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: the slot is the caller's.
        let way = unsafe { way_home(slot) };
        // SAFETY: passed on from the caller.
        unsafe { way.release(slot.cast()) };
    }

    fn exhausted(&self) -> Exhausted
    where
        T: Sized,
    {
        T::__exhausted()
    }
}

/// Where the pool is `static`. The box of another pool says why it cannot leave its thread.
// SAFETY: the box owns its element, as a `Box` does, and the pool's storage allows that a thread
// other than the one that took the slot gives it back (`StaticPoolObject`).
unsafe impl<T: StaticPoolObject + Send + ?Sized> Send for PoolBox<T, Global> {}
/// As `Send`.
// SAFETY: a shared box gives out nothing but `&T`.
unsafe impl<T: StaticPoolObject + Sync + ?Sized> Sync for PoolBox<T, Global> {}

// SAFETY: there is no `T` yet, and the pool's storage allows that a thread other than the one that
// took the slot fills it or gives it back (`StaticPoolObject`).
unsafe impl<T: StaticPoolObject> Send for Vacant<T, Global> {}
// SAFETY: a shared `Vacant` can only be printed.
unsafe impl<T: StaticPoolObject> Sync for Vacant<T, Global> {}
