//! The rosters of types: one in each thread, or one for all.

mod cell;
pub(crate) mod local;
mod order;
pub(crate) mod static_roster;
