//! What is measured. A workload is written once and compiled for each contestant.

pub mod binary_trees;
pub mod burst;
pub mod churn;
pub mod pair;
pub mod quadtree;
mod seats;
mod witness;

pub use seats::{Row, Seats};
pub use witness::{Blind, Sum, Witness};
