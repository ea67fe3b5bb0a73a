//! slab: keys into a `Vec`, so objects move when it grows.

use core::cell::UnsafeCell;
use core::fmt;

use slab::Slab;

use crate::contestant::Contestant;

/// A `Slab` without the borrow flag that sharing it safely would cost.
pub struct Slabs<T: 'static>(&'static UnsafeCell<Slab<T>>);

impl<T> Clone for Slabs<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slabs<T> {}

impl<T> fmt::Debug for Slabs<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Slabs")
    }
}

impl<T: 'static> Contestant<T> for Slabs<T> {
    const NAME: &'static str = "slab (keys)";
    const RESERVES: bool = true;
    type Object = usize;

    fn enter() -> Self {
        Self(Box::leak(Box::new(UnsafeCell::new(Slab::new()))))
    }

    fn reserve(self, count: usize) {
        // SAFETY: one thread, and the reference ends here.
        unsafe { &mut *self.0.get() }.reserve(count);
    }

    fn trim(self) {
        // SAFETY: one thread, and the reference ends here.
        unsafe { &mut *self.0.get() }.shrink_to_fit();
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> usize {
        // SAFETY: one thread, and the reference ends here; the workloads' `make` allocates nothing.
        let slab = unsafe { &mut *self.0.get() };
        slab.insert(make())
    }

    #[inline(always)]
    fn address(self, &key: &usize) -> *const T {
        // SAFETY: one thread, and the reference ends here.
        let slab = unsafe { &*self.0.get() };
        // SAFETY: a key is an `Object` from its insertion to its removal.
        unsafe { slab.get_unchecked(key) }
    }

    #[inline(always)]
    fn free(self, key: usize) {
        // SAFETY: one thread, and the reference ends here, before the value is dropped.
        let value = unsafe { &mut *self.0.get() }.remove(key);
        drop(value);
    }
}
