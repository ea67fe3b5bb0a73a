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

use core::ptr;

use crate::base::ledger::{Record, records};
use crate::base::stats::PoolStats;

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

pub use crate::base::stats::{Storage, Strategy};
#[cfg(feature = "sites")]
pub use crate::base::watch::sites::list::Site;
#[cfg(feature = "std")]
pub use leaks::{Leak, Watch, on_leak};
#[cfg(feature = "alloc")]
pub use {
    crate::base::map::{MapChunk, PoolMap, SlotUse},
    report::{Report, report},
    snapshot::{Change, Changes, Snapshot},
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

/// The pools of one type, as [`pools()`](fn@crate::pools::pools) finds them; or one pool that is a value, as
/// [`Report::with`](crate::pools::Report::with) adds it.
///
/// # Examples
///
/// ```
/// use typed_pool::Pooled;
/// use typed_pool::pools::{Storage, Strategy};
///
/// #[derive(Pooled)]
/// #[pool(strategy = roster)]
/// struct Monster { health: i32 }
///
/// Monster::pool_insert(Monster { health: 40 });
/// let info = typed_pool::pools().find(|info| info.type_name.ends_with("Monster")).unwrap();
/// assert_eq!((info.strategy, info.storage), (Strategy::ROSTER, Storage::ThreadLocal));
/// assert_eq!((info.threads, info.live), (1, Some(1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolInfo {
    /// The type's name, with its path. Of a value, the pool's name.
    pub type_name: &'static str,
    /// The name that `#[pool(name = "..")]` gives.
    pub name: Option<&'static str>,
    /// How vacant slots are remembered.
    pub strategy: Strategy,
    /// The home of the pools.
    pub storage: Storage,
    /// Threads that have a pool of this type now. 0 for static pools and values.
    pub threads: usize,
    /// Live elements: of a static pool, of a value, or of the calling thread's pool.
    ///
    /// `None` if the calling thread has no pool of this type, or if the roster is in use.
    pub live: Option<usize>,
    /// The most slots that one of the pools had in use at once.
    ///
    /// For other threads' pools, it is as of their last growth, trim or end. For a static pool that grows without a limit, it also
    /// counts slots that threads have taken ahead; the table leaves it out ([`PoolStats::high_water`]).
    pub high_water: usize,
    /// Slots of all pools.
    ///
    /// A roster that was moved out of its type's pool, by `mem::take` or `mem::swap`, counts until it is dropped, here and in
    /// `chunks` and `bytes`.
    pub capacity: usize,
    /// Chunks of all pools: blocks of memory that the slots lie in.
    pub chunks: usize,
    /// Bytes of memory that all pools hold, including those that ended threads have left.
    pub bytes: usize,
    /// Requests that no pool of the type could meet. 0 for values, which do not count them.
    pub failures: usize,
    /// Whether the roster is in use, so that it cannot be asked.
    is_in_use: bool,
    /// Whether threads take slots ahead, which `high_water` counts.
    is_taken_ahead: bool,
    /// Tells two types of one name apart.
    record: usize,
}

impl PoolInfo {
    /// The pools of a type; `None` until its record is listed.
    #[inline]
    fn of(record: &'static Record) -> Option<Self> {
        let facts = record.facts()?;
        let [threads, capacity, chunks, bytes, high_water, failures] = record.totals();
        let stats = facts.ops.stats(false).ok();
        let is_static = facts.storage == Storage::Static;
        let info = Self {
            type_name: (facts.type_name)(),
            name: facts.name,
            strategy: facts.strategy,
            storage: facts.storage,
            threads: if is_static { 0 } else { threads },
            live: stats.filter(|_| facts.ops.is_used_here()).map(|stats| stats.live),
            high_water: stats.map_or(0, |stats| stats.high_water).max(high_water),
            capacity,
            chunks,
            bytes,
            failures,
            is_in_use: stats.is_none(),
            is_taken_ahead: is_static
                && facts.strategy != Strategy::ROSTER
                && stats.is_none_or(|stats| stats.limit.is_none()),
            record: ptr::from_ref(record).addr(),
        };
        Some(match stats {
            Some(PoolStats { capacity, chunks, bytes, .. }) if is_static => {
                Self { capacity, chunks, bytes, ..info }
            }
            _ => info,
        })
    }
}

#[cfg(feature = "alloc")]
impl PoolInfo {
    /// A pool that is a value.
    #[inline]
    fn of_value(stats: &PoolStats) -> Self {
        let PoolStats { name, strategy, live, high_water, capacity, chunks, bytes, .. } = *stats;
        Self {
            type_name: name,
            name: None,
            strategy,
            storage: Storage::Owned,
            threads: 0,
            live: Some(live),
            high_water,
            capacity,
            chunks,
            bytes,
            failures: 0,
            is_in_use: false,
            is_taken_ahead: false,
            record: 0,
        }
    }

    /// Returns the name of the pools in a table.
    #[inline]
    fn title(&self) -> &'static str {
        self.name.unwrap_or(self.type_name)
    }

    /// Equal for the pools of one type.
    #[inline]
    fn key(&self) -> (usize, &'static str) {
        (self.record, self.type_name)
    }
}
