//! Pools that are values, typed and raw.

#[cfg(feature = "view")]
mod map;
pub(crate) mod raw;
pub(crate) mod typed;
