//! What is measured. A workload is written once and compiled for each contestant.

pub mod arena;
pub mod binary_trees;
pub mod burst;
pub mod churn;
pub mod crowd;
pub mod first;
pub mod frame;
pub mod handles;
pub mod iterate;
pub mod map;
pub mod pair;
mod places;
pub mod quadtree;
mod seats;
pub mod shapes;
pub mod threads;
mod witness;

use std::env;

pub(crate) use places::at_place;
pub use places::{PLACES, moved};
pub use seats::{Row, Seats};
pub use witness::{Blind, Sum, Witness};

/// How full the maps are that criterion measures, in percent.
pub const OCCUPANCIES: [u32; 4] = [10, 50, 90, 100];

/// How large they are, in slots. Small, where criterion is only to see that all of them run.
#[must_use]
pub fn slots_to_measure() -> &'static [u32] {
    if env::args().any(|argument| argument == "--test") {
        &[1_000]
    } else {
        &[1_000, 100_000, 1_000_000]
    }
}
