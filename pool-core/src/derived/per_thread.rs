//! What each thread has of a pool, and how it is found.

#[cfg(pool_native_tls)]
use core::ptr::NonNull;

use crate::base::register::in_register;
use crate::derived::addresses::Addresses;
use crate::derived::thread_exit::Close;
use crate::derived::thread_local::{AccessError, LocalKey, Resident};

/// A thread-local without a destructor, which the thread's end closes.
pub(crate) struct PerThread<P: 'static> {
    local: &'static LocalKey<P>,
    addresses: &'static Addresses,
}

impl<P> Clone for PerThread<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for PerThread<P> {}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Resident> PerThread<P> {
    /// A thread-local and its addresses.
    ///
    /// # Safety
    ///
    /// Both were declared for one another, and the thread-local with a constant initialiser. `P` has no destructor.
    #[inline(always)]
    pub(crate) const unsafe fn new(
        local: &'static LocalKey<P>,
        addresses: &'static Addresses,
    ) -> Self {
        Self { local, addresses }
    }

    /// Calls `f` with this thread's; on some platforms an error if it is the first use, and there is no memory.
    #[cfg(not(pool_native_tls))]
    #[inline(always)]
    pub(crate) fn with<R>(self, f: impl FnOnce(&P) -> R) -> Result<R, AccessError> {
        self.local.try_with(|place| f(in_register(place)))
    }

    /// Calls `f` with this thread's.
    #[cfg(pool_native_tls)]
    #[inline(always)]
    pub(crate) fn with<R>(self, f: impl FnOnce(&P) -> R) -> Result<R, AccessError> {
        let place = match self.addresses.find() {
            Some(place) => place.cast::<P>(),
            None => self.local.try_with(|place| NonNull::from(place))?,
        };
        // SAFETY: it is this thread's, which is there until the thread ends: what has been entered is removed before that (`new`).
        let place = unsafe { place.as_ref() };
        Ok(f(in_register(place)))
    }

    /// What closes it: `close`, which returns what is to be closed next.
    #[inline(always)]
    pub(crate) fn close(self, close: fn() -> Option<Close>) -> Close {
        Close { close, addresses: self.addresses }
    }
}
