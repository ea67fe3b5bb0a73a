//! What `addresses.rs` offers, where thread-locals are found without it.

use core::ptr::NonNull;

/// The addresses of one thread-local: none is known.
#[derive(Debug)]
pub(crate) struct Addresses;

impl Addresses {
    /// Without an address.
    pub(crate) const NONE: Self = Self;

    #[inline(always)]
    pub(super) fn find(&self) -> Option<NonNull<()>> {
        None
    }

    #[inline(always)]
    pub(super) fn enter(&'static self, _: NonNull<()>) {}

    #[inline(always)]
    pub(super) fn remove(&self) {}
}
