//! The key of pools that are thread-local: see `key.rs`.

use core::marker::PhantomData;
use std::thread::{AccessError, LocalKey};

use crate::base::register::in_register;
use crate::derived::key::Keyed;
use crate::pointer::pool::sealed::Sealed;

/// Leads to a pool of each thread.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct InThread<P: 'static> {
    place: &'static LocalKey<P>,
    marker: PhantomData<fn(P) -> P>,
}

impl<P> Clone for InThread<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for InThread<P> {}

impl<P> InThread<P> {
    /// The key of a thread-local.
    ///
    /// # Safety
    ///
    /// It was declared for this key, with a constant initialiser.
    pub const unsafe fn new(place: &'static LocalKey<P>) -> Self {
        Self { place, marker: PhantomData }
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Keyed> InThread<P> {
    /// Calls `f` with what this thread has; an error where the platform has destroyed it.
    #[inline(always)]
    pub(crate) fn with<R>(self, f: impl FnOnce(&P) -> R) -> Result<R, AccessError> {
        let () = P::CHECKED;
        self.place.try_with(|place| f(in_register(place)))
    }
}

impl<P> Sealed for InThread<P> {}
