//! The workloads. Each is written once and compiled for each contestant.

pub mod binary_trees;
pub mod burst;
pub mod churn;
pub mod crowd;
pub mod frame;
pub mod handles;
pub mod iterate;
pub mod pair;
mod places;
pub mod quadtree;
mod seats;
pub mod shapes;
pub mod threads;
mod witness;

use core::sync::atomic::{AtomicU64, Ordering};

pub(crate) use places::at_place;
pub use places::{PLACES, moved};
pub use seats::{Row, Seats};
pub use witness::{Blind, Sum, Witness};

/// Fills the caches with something else: a write to each line of more memory than a core's own caches hold.
pub fn use_caches() {
    static CLUTTER: [AtomicU64; 1 << 20] = [const { AtomicU64::new(0) }; 1 << 20];
    for line in CLUTTER.iter().step_by(8) {
        line.store(1, Ordering::Relaxed);
    }
}
