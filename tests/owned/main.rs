//! Pools that are values, typed and raw.

mod allocator_api2;
#[path = "../common/config.rs"]
mod config;
mod extremes;
mod model;
mod raw;
mod typed;
