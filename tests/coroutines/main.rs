//! The user's closures and destructors, suspended in the middle of an operation while others on the same thread go on, and
//! resumed in any order: stackful coroutines.
//!
//! This finds code that takes for granted that what began last ends first. Each test has two to five coroutines on a thread,
//! which share a pool, a roster or a frame, use it in random order, and are suspended within everything it calls. Some are
//! dropped while they are suspended, some panic, and some are leaked. (A structure that one coroutine has to itself is not
//! here: a suspension is no different from a long call there.)
//!
//! The seeds are always the same ones. `COROUTINE_SEED=7` runs that one alone.

// The targets that corosensei supports.
#![cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]

mod boxes;
mod lent;
mod schedule;
