//! Pools that are values, typed and raw, and how they are printed.

mod dump;
#[cfg(feature = "view")]
mod map;
pub(crate) mod raw;
pub(crate) mod reserve;
pub(crate) mod typed;
