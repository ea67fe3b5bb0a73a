//! plurality: a pool that one thread at a time allocates from, and any thread frees to.

use core::fmt;
use std::sync::Mutex;

use plurality::{Box as PluralBox, Pool};

use crate::contestant::Contestant;

/// A `Pool` in a `Mutex`, which its documentation recommends for threads. To free takes no lock.
pub struct Locked<T: 'static>(&'static Mutex<Pool<T>>);

impl<T> Clone for Locked<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Locked<T> {}

impl<T> fmt::Debug for Locked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Locked")
    }
}

impl<T: 'static> Contestant<T> for Locked<T> {
    const NAME: &'static str = "plurality (Mutex)";
    type Object = PluralBox<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(Mutex::new(Pool::new()))))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> PluralBox<T> {
        self.0.lock().expect("no panic").alloc_box_with(make)
    }

    #[inline(always)]
    fn address(self, object: &PluralBox<T>) -> *const T {
        &raw const **object
    }

    #[inline(always)]
    fn free(self, object: PluralBox<T>) {
        drop(object);
    }
}
