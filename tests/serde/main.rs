//! Handles, rosters and secondary maps that are written down, and read again.

#![cfg(feature = "serde")]

#[path = "../common/config.rs"]
mod config;
mod forms;
mod game;
mod hostile;
mod lockstep;
mod mutation;
mod walk;
