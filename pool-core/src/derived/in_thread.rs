//! The key of pools that are thread-local: see `key.rs`.

use core::marker::PhantomData;
use std::thread::LocalKey;

use crate::derived::addresses::Addresses;
use crate::derived::key::Keyed;
use crate::derived::per_thread::PerThread;
use crate::pointer::pool::sealed::Sealed;

/// Leads to a pool of each thread.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct InThread<P: 'static> {
    local: &'static LocalKey<P>,
    /// A pointer for the reason given in `key.rs`.
    addresses: *const Addresses,
    marker: PhantomData<fn(P) -> P>,
}

impl<P> Clone for InThread<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for InThread<P> {}

impl<P> InThread<P> {
    /// The key of a thread-local, and of the static with its addresses.
    ///
    /// # Safety
    ///
    /// Both were declared for this key, the thread-local with a constant initialiser.
    pub const unsafe fn new(local: &'static LocalKey<P>, addresses: *const Addresses) -> Self {
        Self { local, addresses, marker: PhantomData }
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Keyed> InThread<P> {
    #[inline(always)]
    pub(crate) fn get(self) -> PerThread<P> {
        let () = P::CHECKED;
        // SAFETY: it points to a static (`InThread::new`).
        let addresses = unsafe { &*self.addresses };
        // SAFETY: both were declared for this key, and what is `Keyed` has no destructor.
        unsafe { PerThread::new(self.local, addresses) }
    }
}

impl<P> Sealed for InThread<P> {}
