//! The workloads, contestants and limits that typed-pool is measured by.
//!
//! One workload is written once, generic over its contestants, so that every allocator runs the same source line.
//!
//! | module | what it holds |
//! |---|---|
//! | [`contestant`] | the traits that a workload sees an allocator or a container through |
//! | [`contestants`] | typed-pool, the heaps and the pool crates behind them |
//! | [`crew`] | two threads that begin together |
//! | [`limits`] | free lists and rosters by hand: unsafe, unchecked, leaking; what is left to reach |
//! | [`objects`] | what is allocated |
//! | [`workloads`] | what is measured: pair, burst, churn, two threads, quad-tree frame, binary trees |
//! | [`race`] | interleaved rounds, and their outcomes |
//! | [`tables`] | each table: a workload and its contestants |
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
pub mod tables;
pub mod workloads;
