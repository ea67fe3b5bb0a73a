//! The workloads, contestants and limits that typed-pool is measured by.
//!
//! One workload is written once, generic over [`Contestant`], so that every
//! allocator runs the same source line.
//!
//! | module | what it holds |
//! |---|---|
//! | [`contestant`] | the trait that a workload sees an allocator through |
//! | [`store`] | the traits that it sees a container through |
//! | [`contestants`] | typed-pool, the heaps and the pool crates behind it |
//! | [`crew`] | two threads that begin together |
//! | [`limits`] | free lists by hand: unsafe, unchecked, leaking; what is left to reach |
//! | [`objects`] | what is allocated |
//! | [`workloads`] | what is measured: pair, burst, churn, two threads, quad-tree frame, binary trees |
//! | [`race`] | interleaved rounds, targets, outcomes |
//! | [`run`] | saved runs, and tables and charts of them |

#![allow(clippy::std_instead_of_alloc, reason = "a benchmark needs `std` anyway")]

pub mod contestant;
pub mod contestants;
pub mod crew;
pub mod limits;
pub mod objects;
pub mod points;
pub mod race;
pub mod random;
pub mod run;
pub mod store;
pub mod workloads;

pub use contestant::{Contestant, Owning};
pub use store::{Keyed, Store};
