//! Pools that are values, typed and raw.

#[path = "../common/config.rs"]
mod config;
mod extremes;
mod model;
mod raw;
mod typed;
