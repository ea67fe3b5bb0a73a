//! Handles, rosters, secondary maps, boxes and shared elements that are written down, and read again.

#![cfg(feature = "serde")]

mod boxes;
#[path = "../common/config.rs"]
mod config;
mod forms;
mod hostile;
mod mutation;
mod saves;
mod walk;
