//! Memory: chunks of slots, the bump cursor that hands them out the first time, and pages.

#[cfg(feature = "alloc")]
pub(crate) mod bump;
#[cfg(feature = "alloc")]
pub(crate) mod chunk;
#[cfg(feature = "alloc")]
pub(crate) mod heap;
#[cfg(feature = "alloc")]
pub(crate) mod pages;
pub(crate) mod slot;
