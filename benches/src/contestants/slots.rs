//! A box over anything that hands out raw slots: the heaps called directly, the limits by hand.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use crate::contestant::{Contestant, Owning};

/// A source of slots for `T`s.
pub trait Source<T>: 'static {
    /// The name in tables.
    const NAME: &'static str;

    /// Hands out a slot that holds nothing yet.
    fn take() -> NonNull<T>;

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// The slot came from `take` of the same source, on this thread unless the source is for
    /// [any](AnyThread), and is not used again.
    unsafe fn give(slot: NonNull<T>);
}

/// A source that takes slots back on any thread.
///
/// # Safety
///
/// It does.
pub unsafe trait AnyThread {}

/// A source as a contestant.
pub struct Slots<S>(PhantomData<fn() -> S>);

impl<S> Clone for Slots<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Slots<S> {}

impl<T: 'static, S: Source<T>> Contestant<T> for Slots<S> {
    const NAME: &'static str = S::NAME;
    type Object = SlotBox<T, S>;

    fn enter() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> SlotBox<T, S> {
        let slot = S::take();
        // SAFETY: the slot is ours alone, and large and aligned enough for a `T`.
        unsafe { slot.write(make()) };
        SlotBox(slot, PhantomData)
    }

    #[inline(always)]
    fn address(self, object: &SlotBox<T, S>) -> *const T {
        object.0.as_ptr()
    }

    #[inline(always)]
    fn free(self, object: SlotBox<T, S>) {
        drop(object);
    }
}

/// Owns the value in a slot.
pub struct SlotBox<T, S: Source<T>>(NonNull<T>, PhantomData<fn() -> S>);

// SAFETY: the box owns a `T`, and its slot may be given back wherever it gets.
unsafe impl<T: Send, S: Source<T> + AnyThread> Send for SlotBox<T, S> {}

impl<T, S: Source<T>> Deref for SlotBox<T, S> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value was written before the box was made, and lives as long as it.
        unsafe { self.0.as_ref() }
    }
}

impl<T, S: Source<T>> DerefMut for SlotBox<T, S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the box is the value's only owner.
        unsafe { self.0.as_mut() }
    }
}

impl<T, S: Source<T>> Drop for SlotBox<T, S> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: the box owns a value, which is not used after this.
        unsafe { self.0.drop_in_place() };
        // SAFETY: the slot is from the same source, and its value is gone.
        unsafe { S::give(self.0) };
    }
}

impl<T, S: Source<T>> Owning for SlotBox<T, S> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        let value = self.0;
        core::mem::forget(self);
        value
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        Self(value, PhantomData)
    }
}
