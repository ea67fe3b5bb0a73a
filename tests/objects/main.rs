//! Trait objects, in the pools of their types and in pools by layout.

use std::sync::{Mutex, MutexGuard, PoisonError};

mod by_layout;
mod downcast;
mod fn_once;
mod iteration;
mod shared;
mod typed;
mod variance;

/// One test after the other: the pools of the whole process have figures of all threads.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}
