//! The ground: configuration, errors, statistics, handles, atomics, the lock of static rosters, the ledger, maps, and watchers of memory.

#[cfg(feature = "allocator-api2-02")]
pub(crate) mod allocator;
pub(crate) mod atomic;
pub(crate) mod config;
pub(crate) mod exhausted;
pub(crate) mod handle;
pub(crate) mod ledger;
#[cfg(feature = "alloc")]
pub(crate) mod map;
pub(crate) mod opaque;
#[cfg(all(feature = "rosters", feature = "std"))]
pub(crate) mod shared_lock;
pub(crate) mod stats;
pub(crate) mod watch;

/// `Copy`, whatever the parameters are; a derive would ask that they are `Copy`, too.
macro_rules! copied {
    ([$($generics:tt)*] $name:ident [$($arguments:tt)*]) => {
        impl<$($generics)*> Clone for $name<$($arguments)*> {
            #[inline]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($generics)*> Copy for $name<$($arguments)*> {}
    };
}
pub(crate) use copied;

/// Calls a function at the end of a scope, even by a panic.
pub(crate) struct Finally<F: FnMut()>(pub(crate) F);

impl<F: FnMut()> Drop for Finally<F> {
    #[inline(always)]
    fn drop(&mut self) {
        self.0();
    }
}

/// A value with a function that is called with it at the end of its scope, even by a panic.
#[cfg(feature = "rosters")]
pub(crate) struct Guarded<V, F: FnMut(&mut V)>(pub(crate) V, pub(crate) F);

#[cfg(feature = "rosters")]
impl<V, F: FnMut(&mut V)> Drop for Guarded<V, F> {
    #[inline(always)]
    fn drop(&mut self) {
        (self.1)(&mut self.0);
    }
}

pub(crate) mod sealed {
    /// Keeps a trait to the types of this crate.
    ///
    /// It does not keep other crates from an `impl` of `Trait<T>` for one of these types, where `T` is theirs. So a trait
    /// that unsafe code leans on is `unsafe` to implement, too.
    #[allow(unnameable_types, reason = "that is what seals it")]
    pub trait Sealed {}
}
