//! A limit with an address that the workload holds, as it holds that of a pool of its own: no thread-local is asked for.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::contestant::Contestant;
use crate::limits::{Design, Home, PlainList};

/// The plain list of a type on the thread that entered.
pub struct Held<T: Home<PlainList>> {
    list: NonNull<PlainList>,
    objects: PhantomData<fn() -> T>,
}

impl<T: Home<PlainList>> Clone for Held<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Home<PlainList>> Copy for Held<T> {}

impl<T: Home<PlainList>> Held<T> {
    #[inline(always)]
    fn list(&self) -> &PlainList {
        // SAFETY: a thread-local without a destructor, on its own thread: the pointer keeps `self` there.
        unsafe { self.list.as_ref() }
    }
}

impl<T: Home<PlainList>> Contestant<T> for Held<T> {
    const NAME: &'static str = "limit: plain list, address held";
    type Object = NonNull<T>;

    fn enter() -> Self {
        Self { list: T::with(|list| NonNull::from(list)), objects: PhantomData }
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> NonNull<T> {
        let slot = self.list().take::<T>();
        // SAFETY: the slot is ours alone, and large and aligned enough for a `T`.
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
        // SAFETY: from `take` of this list, and its value is gone.
        unsafe { self.list().give(object) };
    }
}
