//! Memory: chunks of slots, the bump cursor that hands them out the first time, and pages.

#[cfg(pool_heap)]
pub(crate) mod bump;
#[cfg(pool_heap)]
pub(crate) mod chunk;
#[cfg(all(feature = "hardened", pool_heap))]
mod marks;
#[cfg(pool_heap)]
pub(crate) mod pages;
pub(crate) mod slot;
