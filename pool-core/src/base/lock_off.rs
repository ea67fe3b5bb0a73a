//! In place of `lock.rs` where there is no `fork`, and in models.

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
        self.0.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// The lock, unless somebody has it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, ()>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(std::sync::TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => None,
        }
    }

    /// There is no `fork` to follow.
    #[inline(always)]
    pub(crate) fn follow(&'static self, _: &'static fn()) {}
}
