//! The ground: configuration, errors, figures, handles, atomics, what pointers have in common, and what guards the use of memory.

#[cfg(any(feature = "allocator-api2-02", feature = "allocator-api2-04"))]
pub(crate) mod allocator;
pub(crate) mod atomic;
pub(crate) mod config;
pub(crate) mod exhausted;
pub(crate) mod handle;
pub(crate) mod heap;
pub(crate) mod ledger;
#[cfg(all(feature = "std", pool_forks, not(all(loom, test))))]
pub(crate) mod lock;
#[cfg(all(feature = "alloc", feature = "view"))]
pub(crate) mod map;
#[cfg(feature = "std")]
pub(crate) mod opaque;
pub(crate) mod pointer_traits;
#[cfg(all(feature = "rosters", feature = "std"))]
pub(crate) mod shared_lock;
pub(crate) mod stats;
#[cfg(all(feature = "std", not(all(loom, test))))]
pub(crate) mod thread_number;
#[cfg(all(feature = "std", not(pool_native_tls)))]
pub(crate) mod thread_word;
pub(crate) mod watch;
pub(crate) mod word;

/// In place of the file of this name where there is no `fork`, and in models, whose locks are loom's.
#[cfg(all(feature = "std", any(not(pool_forks), all(loom, test))))]
pub(crate) mod lock {
    use std::sync::{PoisonError, TryLockError};

    use crate::base::atomic::{Mutex, MutexGuard, const_unless_model};

    /// A lock with nothing in it, for what stands beside it.
    pub(crate) struct Lock(Mutex<()>);

    impl Lock {
        const_unless_model! {
            pub(crate) const fn new() -> Self {
                Self(Mutex::new(()))
            }
        }

        pub(crate) fn lock(&self) -> MutexGuard<'_, ()> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
            match self.0.try_lock() {
                Ok(guard) => Some(guard),
                Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
                Err(TryLockError::WouldBlock) => None,
            }
        }

        #[inline(always)]
        pub(crate) fn follow(&'static self, _: &'static fn()) {}
    }
}

pub(crate) mod sealed {
    /// Keeps a trait to the types of this crate.
    ///
    /// It does not keep other crates from an `impl` of `Trait<T>` for one of these types, where `T` is theirs. So what unsafe
    /// code leans on is `unsafe` to implement, too.
    #[allow(unnameable_types, reason = "that is what seals it")]
    pub trait Sealed {}
}
