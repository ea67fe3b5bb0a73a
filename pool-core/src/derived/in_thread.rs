//! The key of pools that are thread-local: see `key.rs`.

use core::marker::PhantomData;

use crate::base::ledger::Record;
use crate::derived::companion::Companion;
use crate::derived::key::Keyed;
use crate::derived::per_thread::PerThread;
use crate::derived::thread_local::{LocalKey, Resident};
use crate::pointer::pool::sealed::Sealed;

/// Leads to a pool of each thread.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct InThread<P: 'static> {
    local: &'static LocalKey<P>,
    /// A pointer for the reason given in `key.rs`.
    companion: *const Companion,
    marker: PhantomData<fn(P) -> P>,
}

impl<P> Clone for InThread<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for InThread<P> {}

impl<P> InThread<P> {
    /// The key of a thread-local, and of the static beside it.
    ///
    /// # Safety
    ///
    /// Both were declared for this key, the thread-local with a constant initialiser.
    pub const unsafe fn new(local: &'static LocalKey<P>, companion: *const Companion) -> Self {
        Self { local, companion, marker: PhantomData }
    }
}

#[allow(private_bounds, reason = "for this crate")]
impl<P: Keyed + Resident> InThread<P> {
    #[inline(always)]
    pub(crate) fn get(self) -> PerThread<P> {
        let () = P::CHECKED;
        // SAFETY: both were declared for this key, and what is `Keyed` has no destructor.
        unsafe { PerThread::new(self.local, &self.companion().addresses) }
    }

    #[inline(always)]
    fn companion(self) -> &'static Companion {
        // SAFETY: it points to a static (`InThread::new`).
        unsafe { &*self.companion }
    }

    /// What the process keeps of the type's pools.
    pub(crate) fn record(self) -> &'static Record {
        &self.companion().record
    }
}

impl<P> Sealed for InThread<P> {}
