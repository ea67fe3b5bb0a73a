//! What leads to a type's own pool: the associated constant `Pooled::__POOL`.
//!
//! A constant has one value, so a type has one pool, whatever its `impl` says; and a key of one type leads
//! to no pool of another's. Keys are made by the macros of this crate alone, each for statics that it declares itself.
//! So `Pooled` is safe to implement: what other code can do is to ask for a pool, by the macros or by the
//! derive, and to leave it unused.

use core::marker::PhantomData;

use crate::pointer::pool::sealed::Sealed;

/// Leads to a pool of the whole process.
#[allow(missing_debug_implementations, reason = "for the derive")]
pub struct InStatic<P: 'static> {
    /// Before Rust 1.90 a constant cannot hold a reference to what changes.
    place: *const P,
    marker: PhantomData<fn(P) -> P>,
}

impl<P> Clone for InStatic<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for InStatic<P> {}

impl<P> InStatic<P> {
    /// The key of a static.
    ///
    /// # Safety
    ///
    /// It was declared for this key.
    pub const unsafe fn new(place: *const P) -> Self {
        Self { place, marker: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn get(self) -> &'static P {
        // SAFETY: it points to a static, which was initialised and is never written to but through cells
        // (`InStatic::new`).
        unsafe { &*self.place }
    }
}

impl<P> Sealed for InStatic<P> {}
