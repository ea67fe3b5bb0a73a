//! The atomics: `core`'s, or under `cfg(loom)` those of the model checker, which tries every order in
//! which threads may see each other's writes (`tests/loom_*.rs`).

#[cfg(all(not(loom), target_has_atomic = "ptr"))]
pub(crate) use core::sync::atomic::{AtomicPtr, AtomicUsize};
#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicUsize};

/// A `const fn`; under loom, whose atomics are made at run time, a plain one.
macro_rules! const_unless_loom {
    ($(#[$meta:meta])* $visibility:vis const fn $($rest:tt)*) => {
        #[cfg(not(loom))]
        $(#[$meta])*
        $visibility const fn $($rest)*
        #[cfg(loom)]
        $(#[$meta])*
        $visibility fn $($rest)*
    };
}
pub(crate) use const_unless_loom;
