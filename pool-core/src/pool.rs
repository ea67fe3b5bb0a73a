//! Pools that are values, typed and raw, and how they are printed.

mod dump;
pub(crate) mod owned;
pub(crate) mod raw;
pub(crate) mod typed;
