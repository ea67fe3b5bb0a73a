//! A type's own pool: the trait, its storages, checks, and the end of a thread.

#[cfg(pool_addresses)]
mod addresses;
#[cfg(feature = "any")]
pub mod any;
pub(crate) mod backing;
pub(crate) mod boxes;
#[cfg(feature = "any")]
pub(crate) mod by_layout;
pub(crate) mod checks;
pub(crate) mod fixed;
#[cfg(feature = "std")]
pub(crate) mod in_thread;
#[cfg(feature = "std")]
pub(crate) mod local;
#[cfg(feature = "std")]
pub(crate) mod magazines;
pub(crate) mod pooled;
pub mod rc;
#[cfg(feature = "rosters")]
pub(crate) mod reserved;
#[cfg(all(feature = "rewind", feature = "std"))]
pub(crate) mod rewinds;
#[cfg(feature = "rosters")]
pub(crate) mod roster_ref;
#[cfg(all(feature = "rosters", feature = "std"))]
pub(crate) mod rosters;
pub(crate) mod storage;
#[cfg(feature = "std")]
pub(crate) mod thread_exit;
#[cfg(feature = "std")]
pub(crate) mod thread_local;
pub(crate) mod with_counts;
