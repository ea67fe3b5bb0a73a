//! Pools that are values, typed and raw, and how they are printed.

mod dump;
pub(crate) mod free_list;
pub(crate) mod owned;
pub(crate) mod pointer_stack;
pub(crate) mod raw;
