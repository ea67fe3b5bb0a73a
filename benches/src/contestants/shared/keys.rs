//! sharded-slab: keys, and a shard for each thread.

use core::fmt;

use sharded_slab::Slab;

use crate::contestant::Contestant;

/// A `Slab` as it comes.
pub struct Keys<T: 'static>(&'static Slab<T>);

impl<T> Clone for Keys<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Keys<T> {}

impl<T> fmt::Debug for Keys<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}

impl<T: Send + Sync + 'static> Contestant<T> for Keys<T> {
    const NAME: &'static str = "sharded-slab";
    type Object = usize;

    fn enter() -> Self {
        Self(Box::leak(Box::new(Slab::new())))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> usize {
        self.0.insert(make()).expect("room for as many as there are keys")
    }

    #[inline(always)]
    fn address(self, &key: &usize) -> *const T {
        // A value stays where it is, with or without the guard.
        &raw const *self.0.get(key).expect("a key is an `Object` until it is freed")
    }

    #[inline(always)]
    fn free(self, key: usize) {
        self.0.remove(key);
    }
}
