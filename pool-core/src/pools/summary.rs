//! What takes the heap: reports, snapshots and maps.

mod map;
#[cfg(feature = "metrics")]
mod metrics;
mod prometheus;
pub(super) mod report;
#[cfg(feature = "serde")]
mod serde;
#[cfg_attr(not(feature = "sites"), path = "summary/sites_off.rs")]
mod sites;
mod snapshot;
#[cfg(feature = "std")]
mod watch;

#[cfg(feature = "metrics")]
pub use metrics::record_metrics;
pub use report::{Report, Row, report};
#[cfg(feature = "sites")]
pub use sites::SiteChange;
pub use snapshot::{Change, Changes, Snapshot};
#[cfg(feature = "std")]
pub use watch::Watch;

pub use crate::base::map::{MapChunk, PoolMap, SlotUse};
