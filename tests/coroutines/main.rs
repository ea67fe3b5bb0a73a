//! Closures, destructors and iterators of the user's that are suspended in the middle of an operation, while
//! others of the same thread go on, and are resumed in any order: stackful coroutines.
//!
//! Whatever takes for granted that what began last ends first is found here. Each test has coroutines
//! of two to five on a thread, which do what the API can do in random order, suspended within all that it
//! calls. Some are dropped while they are suspended, some panic, and some are leaked.
//!
//! The seeds are always the same ones. `COROUTINE_SEED=7` runs that one alone, and `COROUTINE_RUNS=100` a
//! hundred more, each with a seed that a failure names.
//!
//! Not here: closures of rayon, which run in threads of its own, and never in the middle of the caller's.

// As far as coroutines go.
#![cfg(not(any(target_arch = "s390x", target_family = "wasm")))]

mod boxes;
mod counted;
mod derived_rosters;
mod frames;
mod initialisers;
mod part;
mod rosters;
mod schedule;
mod scratch;
mod secondary_maps;
