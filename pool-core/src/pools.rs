//! Every pool in view: which pools there are, what they hold, what has changed, and what leaks.
//!
//! - [`pools()`](fn@pools): each pool of the process, with its figures, as a [`PoolInfo`].
//! - [`report()`](fn@report): a table of them by type, a [`Report`]; also as JSON (the feature `serde`).
//! - [`publish`]: makes the calling thread's figures those of this moment, for others to see.
//! - [`Snapshot`]: the figures of one moment, to be compared with a later one.
//! - [`leaks()`](fn@leaks), [`on_leak`], [`Watch`]: what is still alive where nothing should be.
//! - [`PoolMap`]: each slot of one pool, live or vacant, as a picture and as figures of its fragmentation. From
//!   [`pool_map`](crate::Pooled::pool_map).
//!
//! A derived pool is listed from its first growth on. That costs nothing on a hot path: a pool writes down its figures when it grows,
//! is trimmed or ends, and when its thread calls [`publish`]. So what you see of another thread's pool dates from then, and
//! [`PoolInfo::is_exact`] is `false`; wherever a figure is shown that may be stale, it is marked. Static pools and
//! the pools of the thread that asks are looked at directly, so their figures are exact. (While another thread fetches a batch of at most
//! 128 free slots from a static pool, or brings one back, these count as live.) When a thread ends, its totals stay, and so does what
//! it has leaked.
//!
//! A pool that is a value is listed if it has a name: [`FreeList::named`](crate::TypedPool::named),
//! [`Roster::named`](crate::Roster::named).
//!
//! With the feature `sites` each live element knows the line that made it (`T::pool_sites()`): reports show the biggest, and leaks name
//! them.
//!
//! Asking neither waits for other threads' work nor keeps them waiting. There are two exceptions. For a static pool that grows it takes
//! the lock that `pool_stats` takes. (If it is a heap that asks, while a pool waits for memory, it does not wait for the lock, and has
//! the figures of the last growth.) And of a static roster that is in use it has the figures of its last growth.
//!
//! All of this is the feature `view`, which is on by default. Without `std` only static pools are listed.

#[cfg(feature = "std")]
use crate::base::ledger::account::{self, entered};
use crate::base::ledger::records;

#[cfg(all(feature = "std", any(unix, windows)))]
mod at_exit;
mod info;
#[cfg(feature = "alloc")]
mod summary;

pub use crate::base::ledger::{Storage, Strategy, ThreadName};
#[cfg(all(feature = "std", any(unix, windows)))]
pub use at_exit::on_leak;
pub use info::{Identity, Leak, PoolInfo, PoolThread};
#[cfg(feature = "std")]
pub use summary::watch::Watch;
#[cfg(feature = "alloc")]
pub use summary::{Change, Changes, MapChunk, PoolMap, Report, Row, SlotUse, Snapshot, report};
#[cfg(feature = "sites")]
pub use {crate::base::watch::sites::lines::Site, summary::sites::SiteChange};

/// Every pool of the process that has ever grown, in no order; and of each type with pools in threads that have ended, their
/// totals.
///
/// See the [module](self) for what is exact.
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
/// assert!(info.is_exact && info.type_name.ends_with("Bullet"));
/// assert_eq!((info.stats.live, info.grown, info.failures), (1, 1, 0));
/// assert_eq!(info.stats, Bullet::pool_stats());
/// # drop(bullet);
/// ```
#[inline]
pub fn pools() -> impl Iterator<Item = PoolInfo> {
    infos(true)
}

/// What is alive in any pool at this moment: at a point where nothing should be, what has leaked.
///
/// For a pool of another thread that still runs, it is what was alive when that pool last grew or was trimmed, or the thread called
/// [`publish`]; then [`PoolInfo::is_exact`] is false. What ended threads have left is exact.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// struct Mesh([u64; 4]);
///
/// std::thread::spawn(|| std::mem::forget(PoolBox::new(Mesh([0; 4])))).join().unwrap();
/// for leak in pools::leaks() {
///     println!("{leak}"); // "1 element of `game::Mesh`, 32 bytes, in thread 1 (..), which has ended"
/// }
/// assert_eq!(pools::leaks().count(), 1);
/// ```
#[inline]
pub fn leaks() -> impl Iterator<Item = Leak> {
    pools().filter_map(Leak::of)
}

/// Writes down what the calling thread's pools hold now, so that other threads see these figures: of its thread-local pools and
/// rosters. Call it once a frame, or before the thread parks. (What else there is needs no call: static pools are looked at, and
/// values with a name keep their figures current.)
///
/// The thread may go on using its pools at any time, so another thread still sees them marked: [`PoolInfo::is_exact`] is false, and
/// a table has a `~`. A roster that is lent, as within `pool_with`, keeps the figures that it had.
///
/// About a microsecond for ten pools; and it passes over the pools of all other threads, at a nanosecond each.
///
/// # Examples
///
/// ```
/// use std::sync::Barrier;
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// #[pool(name = "sparks")]
/// struct Spark([f32; 4]);
///
/// let barrier = Barrier::new(2);
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         let sparks: Vec<_> = (0..1000).map(|_| PoolBox::new(Spark([0.0; 4]))).collect();
///         pools::publish();
///         barrier.wait();
///         barrier.wait();
///         drop(sparks);
///     });
///     barrier.wait();
///     let report = typed_pool::report();
///     assert_eq!(report.rows()[0].live, 1000);
///     barrier.wait();
/// });
/// ```
#[cfg(feature = "std")]
#[inline]
pub fn publish() {
    account::publish();
}

/// All pools, with the names of their threads or without.
#[inline]
fn infos(
    #[cfg_attr(not(feature = "std"), expect(unused))] is_named: bool,
) -> impl Iterator<Item = PoolInfo> {
    let looked_at = records().filter_map(PoolInfo::of_record);
    let ended = records().filter_map(PoolInfo::of_ended);
    #[cfg(feature = "std")]
    let looked_at =
        looked_at.chain(entered().map(move |entered| PoolInfo::of_account(entered, is_named)));
    looked_at.chain(ended).filter(PoolInfo::has_grown)
}
