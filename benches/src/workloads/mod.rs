//! The workloads. Each is written once and compiled for each contestant.

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

pub(crate) use places::at_place;
pub use places::{PLACES, moved};
pub use seats::{Row, Seats};
pub use witness::{Blind, Sum, Witness};
