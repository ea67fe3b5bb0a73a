//! The rosters of types: one in each thread, or one for all.

use core::sync::atomic::{AtomicUsize, Ordering};

mod cell;
pub(crate) mod local;
pub(crate) mod static_roster;

/// A number that no other call returns.
fn unique() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
