//! Pools that are values, typed and raw, and how they are printed.

mod dump;
pub(crate) mod raw;
pub(crate) mod reserve;
pub(crate) mod typed;
