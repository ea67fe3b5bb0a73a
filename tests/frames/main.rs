//! Frame stacks: memory that is given back all at once.

#[path = "../common/config.rs"]
mod config;
mod containers;
mod model;
mod scratch;
mod slices;
mod stack;
mod threads;
