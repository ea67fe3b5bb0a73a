//! bumpalo: an arena that frees nothing until it is reset, and runs no destructor.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::contestant::{Contestant, Owning};

/// A `Bump` that the workload resets whenever nothing in it is in use.
#[derive(Clone, Copy)]
pub struct Bump(&'static UnsafeCell<bumpalo::Bump>);

impl<T: 'static> Contestant<T> for Bump {
    const NAME: &'static str = "bumpalo (frees nothing)";
    const FREES: bool = false;
    type Object = BumpBox<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::default()))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> BumpBox<T> {
        // SAFETY: one thread, and the arena is not reset during an allocation.
        let bump = unsafe { &*self.0.get() };
        BumpBox(NonNull::from(bump.alloc_with(make)))
    }

    #[inline(always)]
    fn address(self, object: &BumpBox<T>) -> *const T {
        object.0.as_ptr()
    }

    #[inline(always)]
    fn free(self, _: BumpBox<T>) {}

    #[inline(always)]
    unsafe fn reset(self) {
        // SAFETY: one thread, and the caller promises that no object is used again.
        unsafe { &mut *self.0.get() }.reset();
    }
}

/// A value in the arena, which stays there when the box goes.
pub struct BumpBox<T>(NonNull<T>);

impl<T> Deref for BumpBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value was written at once, and `reset` promises that no box is used after.
        unsafe { self.0.as_ref() }
    }
}

impl<T> DerefMut for BumpBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and there is one box to a value.
        unsafe { self.0.as_mut() }
    }
}

impl<T> Owning for BumpBox<T> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        self.0
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        Self(value)
    }
}
