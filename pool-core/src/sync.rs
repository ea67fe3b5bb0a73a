//! The atomics that the shared parts are made of: those of `core`, and in models those of loom.

#[cfg(all(any(pool_swap = "core", pool_swap = "section"), not(all(loom, test))))]
pub(crate) use core::sync::atomic;
#[cfg(all(loom, test))]
pub(crate) use loom::sync::atomic;
#[cfg(pool_swap = "portable")]
pub(crate) use portable_atomic as atomic;
