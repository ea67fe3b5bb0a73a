//! The atomics that the shared parts are made of: those of `core`, and in models those of loom.

#[cfg(not(all(loom, test)))]
pub(crate) use core::sync::atomic;
#[cfg(all(loom, test))]
pub(crate) use loom::sync::atomic;
