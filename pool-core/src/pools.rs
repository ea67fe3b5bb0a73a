//! Every pool in view: which types have pools, what these hold, what has changed, and what leaks.
//!
//! - [`pools()`](fn@pools): each type that has a pool, as a [`PoolInfo`].
//! - [`report()`](fn@report): a table of them, a [`Report`]; also as JSON (feature `serde`). [`Report::with`] adds a pool that is a value.
//! - [`Snapshot`]: the statistics of one moment, to be compared with a later one.
//! - [`Watch`], [`on_leak`]: elements that are still alive where none should be.
//! - [`PoolMap`]: each slot of one pool, live or vacant, as text and as a picture. From
//!   [`pool_map`](crate::Pooled::pool_map).
//!
//! A type is listed once a pool of it has grown. A pool updates the totals of its type whenever it allocates memory or gives memory
//! back, so the view costs nothing on a hot path. Each number is exact, or absent: only a thread itself knows how many elements are
//! live in its thread-local pools, so [`PoolInfo::live`] is the count of the calling thread's pool, or `None`. (For other threads'
//! pools, the high-water mark is as of their last growth, trim or end.) Static pools are read directly.
//!
//! With the feature `sites`, each live element knows the line that made it (`T::pool_sites()`): reports show the lines with the
//! most elements, and leaks name theirs.
//!
//! The functions here never wait for user code. For a growing static pool, they take the same lock as `pool_stats`.
//!
//! All of this is the feature `view`, which is on by default. Without `std` only static pools are listed.

use crate::base::ledger::records;

mod info;
#[cfg(feature = "std")]
mod leaks;
#[cfg(feature = "alloc")]
mod map;
#[cfg(feature = "alloc")]
mod report;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "alloc")]
mod snapshot;
#[cfg(feature = "std")]
mod watch;

pub use crate::base::stats::{Storage, Strategy};
#[cfg(feature = "sites")]
pub use crate::base::watch::sites::list::Site;
pub use info::PoolInfo;
#[cfg(feature = "alloc")]
pub use {
    crate::base::map::{MapChunk, PoolMap, SlotUse},
    report::{Report, report},
    snapshot::{Change, Changes, Snapshot},
};
#[cfg(feature = "std")]
pub use {
    leaks::{Leak, on_leak},
    watch::Watch,
};

/// Returns each type of the process with a pool that has grown, in no order.
///
/// O(types). See the [module](self) for what is exact.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// #[pool(name = "bullets")]
/// struct Bullet([f32; 4]);
///
/// let bullet = PoolBox::new(Bullet([0.0; 4]));
/// let info = typed_pool::pools().find(|info| info.name == Some("bullets")).unwrap();
/// assert!(info.type_name.ends_with("Bullet"));
/// assert_eq!((info.live, info.threads, info.failures), (Some(1), 1, 0));
/// assert_eq!(info.bytes, Bullet::pool_stats().bytes);
/// # drop(bullet);
/// ```
#[inline]
pub fn pools() -> impl Iterator<Item = PoolInfo> {
    records().iter().filter_map(PoolInfo::of)
}
