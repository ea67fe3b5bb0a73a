//! In place of `mark.rs` where there is no `std`, and in models: nothing is told apart.

/// Calls `f`.
pub(crate) fn as_pool<R>(f: impl FnOnce() -> R) -> R {
    f()
}

/// Whether a pool is known to wait for the heap.
#[allow(dead_code, reason = "for static pools that grow")]
pub(crate) fn is_asked() -> bool {
    false
}

/// A request that an allocator is about to meet.
pub(crate) struct Request;

impl Request {
    #[inline]
    pub(crate) fn come() -> Self {
        Self
    }

    /// Whether it is known to be a pool's own.
    #[inline]
    pub(crate) fn is_pools(&self) -> bool {
        false
    }
}
