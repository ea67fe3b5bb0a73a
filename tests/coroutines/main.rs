//! The user's closures, destructors and iterators, suspended in the middle of an operation while others on the
//! same thread go on, and resumed in any order: stackful coroutines.
//!
//! This finds code that takes for granted that what began last ends first. Each test has two to five
//! coroutines on a thread, which use the whole API in random order and are suspended within everything it
//! calls. Some are dropped while they are suspended, some panic, and some are leaked.
//!
//! The seeds are always the same ones. `COROUTINE_SEED=7` runs that one alone, and `COROUTINE_RUNS=100` a
//! hundred more, each with a seed that a failure names.
//!
//! Closures for rayon are not here: they run in its own threads, never in the middle of the caller's work.

// The targets that corosensei supports.
#![cfg(not(any(target_arch = "s390x", target_arch = "arm", target_family = "wasm")))]

#[macro_use]
#[path = "../common/by_layout.rs"]
mod common;

mod boxes;
mod counted;
mod derived_rosters;
mod frames;
mod initialisers;
#[path = "../common/in_place.rs"]
mod on_heap;
mod part;
mod rosters;
mod schedule;
mod scratch;
mod secondary_maps;
