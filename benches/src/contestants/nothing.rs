//! No allocator at all: what the constructor and the loop cost by themselves.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use crate::contestant::Contestant;

/// One slot, handed out again and again. For workloads that hold one object at a time.
pub struct Nothing<T: 'static>(&'static UnsafeCell<MaybeUninit<T>>);

impl<T> Clone for Nothing<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Nothing<T> {}

impl<T: 'static> Contestant<T> for Nothing<T> {
    const NAME: &'static str = "nothing";
    type Object = NonNull<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(UnsafeCell::new(MaybeUninit::uninit()))))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> NonNull<T> {
        let slot = NonNull::from(self.0).cast::<T>();
        // SAFETY: the slot is large and aligned enough, and the last object in it is gone.
        unsafe { slot.write(make()) };
        slot
    }

    #[inline(always)]
    fn address(self, object: &NonNull<T>) -> *const T {
        object.as_ptr()
    }

    #[inline(always)]
    fn free(self, object: NonNull<T>) {
        // SAFETY: the workload frees an object once.
        unsafe { object.drop_in_place() };
    }
}
