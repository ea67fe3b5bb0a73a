//! Which line has made an element: the feature `sites`.
//!
//! The first line to make an element is entered in a table of the process, and from then on known by its number (a `Line`). Beside
//! each slot stands the number of the line whose element lies there, or 0. It is written when the slot is taken, and cleared
//! when the slot is given back, so there is one for each slot that counts as live.
//!
//! Without the feature nothing is left of this: what is passed on has no size, and functions that tell their caller's line do so
//! only with it. The rest of the crate has no `cfg` for it but before such functions, and where lines are asked for.

#[cfg_attr(feature = "sites", path = "sites/on.rs")]
#[cfg_attr(not(feature = "sites"), path = "sites/off.rs")]
mod kept;
#[cfg(feature = "sites")]
mod site;

#[cfg(all(feature = "sites", feature = "std"))]
pub(crate) use kept::remains;
#[allow(unused_imports, reason = "for parts that a build may lack")]
pub(crate) use kept::{ChunkSites, FixedSites, IS_SITED, Line, RosterSites};
#[cfg(feature = "sites")]
pub(crate) use kept::{MOST_LINES, location};
#[cfg(feature = "sites")]
pub use site::Site;
#[cfg(feature = "sites")]
pub(crate) use site::Tally;
