//! Pools that their boxes borrow, or keep alive.

use core::any::type_name;
use core::ptr::NonNull;

use alloc::rc::Rc;

use crate::base::exhausted::Exhausted;
use crate::base::watch::sites::Line;
use crate::base::watch::tracy;
use crate::pointer::pool::{Pool, sealed};
use crate::pool::typed::TypedPool;
use crate::strategy::Strategy;

impl<T, S> sealed::Sealed for &TypedPool<T, S> {}

// SAFETY: slots come from the chunks of the pool, which is neither moved, dropped nor reset while it is borrowed.
unsafe impl<T, S: Strategy> Pool<T> for &TypedPool<T, S> {
    #[inline(always)]
    fn acquire(&self) -> Option<NonNull<T>> {
        let slot = TypedPool::<T, S>::SLOT;
        let taken = match self.slots.acquire(slot, Line::of_caller(), || self.slots.refill(slot)) {
            Ok(Some(taken)) => taken,
            Ok(None) => return None,
            Err((taken, fault)) => fault.panic(taken.cast::<T>().as_ptr()),
        };
        if tracy::IS_ON {
            let name = self.slots.cursor.config.name_of::<T>();
            self.slots.told.hand_out(taken.as_ptr(), size_of::<T>(), slot, name);
        }
        Some(taken.cast())
    }

    unsafe fn verify(&self, slot: NonNull<T>) {
        if let Err(fault) = self.slots.check(slot.addr().get(), TypedPool::<T, S>::SLOT) {
            fault.panic(slot.as_ptr());
        }
    }

    #[inline(always)]
    unsafe fn release(&self, slot: NonNull<T>) {
        // SAFETY: passed on from the caller.
        if let Err(fault) = unsafe { self.slots.release(slot.cast(), TypedPool::<T, S>::SLOT) } {
            fault.panic(slot.as_ptr());
        }
        if tracy::IS_ON {
            self.slots.told.take_back(slot.as_ptr().cast());
        }
    }

    fn exhausted(&self) -> Exhausted {
        let slot = TypedPool::<T, S>::SLOT;
        self.slots.exhausted(type_name::<T>(), self.slots.is_at_limit(slot), slot)
    }
}

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
