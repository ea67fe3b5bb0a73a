//! Pools that are values, typed and raw.

pub(crate) mod raw;
pub(crate) mod typed;
