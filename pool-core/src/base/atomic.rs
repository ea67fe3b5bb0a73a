//! The one door to atomics and locks: `core`'s and `std`'s; in models loom's, which tries every order in which
//! threads may see each other's writes; and substitutes for a target without compare-and-swap.
//!
//! `tests/models.rs` compiles the files of static pools for itself, with loom's atomics. `tests/loom_frame.rs` uses the
//! crate: under `--cfg loom` its frame stacks and counting allocators have loom's atomics, and its pools `core`'s, since
//! loom's are made at run time and so cannot lie in statics.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "for parts of the crate that a build may lack"
)]

#[cfg_attr(loom, path = "atomic/frame_modelled.rs")]
mod frame;
#[cfg_attr(all(loom, test), path = "atomic/pool_modelled.rs")]
mod pool;
pub(crate) mod swap;

#[cfg(any(loom, target_has_atomic = "ptr"))]
pub(crate) use frame::{AtomicPtr, AtomicUsize};
pub(crate) use frame::{Constant, const_unless_loom, constant};
#[cfg(feature = "std")]
pub(crate) use pool::Mutex;
pub(crate) use pool::{IS_MODEL, UnsafeCell, array_of, atomic, const_unless_model, spin_loop};
