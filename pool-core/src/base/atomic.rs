//! The one door to atomics and locks: `core`'s and `std`'s; in models loom's, which tries every order in which
//! threads may see each other's writes; and substitutes for a target without compare-and-swap.
//!
//! loom's are made at run time and so cannot lie in statics. Therefore `tests/models.rs` and `tests/loom_frame.rs`
//! compile the files that they check for themselves; a program that is built with `--cfg loom` for models of its own
//! has `core`'s here.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "for parts of the crate that a build may lack"
)]

#[cfg_attr(all(loom, test), path = "atomic/frame_modelled.rs")]
mod frame;
#[cfg_attr(all(loom, test), path = "atomic/pool_modelled.rs")]
mod pool;
pub(crate) mod swap;

#[cfg(any(all(loom, test), target_has_atomic = "ptr"))]
pub(crate) use frame::{AtomicPtr, AtomicUsize};
pub(crate) use frame::{Constant, const_unless_loom, constant};
pub(crate) use pool::{IS_MODEL, UnsafeCell, array_of, atomic, const_unless_model, spin_loop};
#[cfg(feature = "std")]
pub(crate) use pool::{Mutex, MutexGuard};
