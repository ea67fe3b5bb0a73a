//! Rosters, of a thread and as values, and the maps beside them.

#[path = "../common/config.rs"]
mod config;
mod guards;
mod handles;
mod later;
mod model;
mod panics;
mod pooled;
mod rayon;
mod roster;
mod secondary_map;
