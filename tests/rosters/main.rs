//! Rosters, of a thread and as values, and the maps beside them.

#[path = "../common/config.rs"]
mod config;
mod guards;
mod handles;
mod later;
mod model;
mod panics;
mod pooled;
mod rayon;
mod roster;
mod secondary_map;

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of the panic that `f` ends with.
#[track_caller]
fn panic_of<R>(f: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(|| drop(f()))).expect_err("a panic");
    match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => (*panic.downcast_ref::<&str>().expect("a message")).to_owned(),
    }
}
