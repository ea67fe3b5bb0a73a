//! What each thread has of a pool, and how it is found.

use core::ptr::NonNull;
use std::thread::{AccessError, LocalKey};

use crate::base::register::in_register;
use crate::derived::addresses::Addresses;
use crate::derived::thread_exit::Close;

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

impl<P> PerThread<P> {
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

    /// Calls `f` with this thread's; an error where the platform has destroyed it.
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
