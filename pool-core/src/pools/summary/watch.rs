//! A check for leaks, for tests.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::marker::PhantomData;

use crate::base::ledger::Storage;
use crate::base::stats::{Counted, OneLine};
use crate::pools::info::{Identity, PoolInfo};
use crate::pools::summary::sites::SiteChanges;
use crate::pools::summary::{Index, Report, Row};

/// What is alive when this is made, to be compared at the end of a test.
///
/// It compares the pools of the thread that has made it, type by type, so tests that run in parallel do not disturb each other.
/// [`Watch::of_process`] compares all pools.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Watch;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Node([u64; 4]);
///
/// let watch = Watch::new();
/// let node = PoolBox::new(Node([0; 4]));
/// drop(node);
/// watch.assert_none_leaked();
/// ```
#[must_use = "it does nothing before it is asked"]
#[derive(Debug)]
pub struct Watch {
    before: Report,
    /// Those that were lent.
    lent: Vec<Identity>,
    is_watched: fn(&PoolInfo) -> bool,
    /// It belongs to its thread.
    marker: PhantomData<*const ()>,
}

impl Watch {
    /// Watches the pools of this thread. What is alive already does not count.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Watch;
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Node([u64; 4]);
    ///
    /// let kept = PoolBox::new(Node([0; 4]));
    /// let watch = Watch::new();
    /// drop(PoolBox::new(Node([1; 4])));
    /// watch.assert_none_leaked();
    /// # drop(kept);
    /// ```
    #[allow(clippy::new_without_default, reason = "a default that is told by its moment is none")]
    #[inline]
    pub fn new() -> Self {
        Self::with(|info| info.thread.is_some_and(|thread| thread.is_current))
    }

    /// Watches all pools of the process, static ones among them, and what threads leave that end meanwhile. For a test that is alone
    /// in its process, or while other threads rest.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Watch;
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// #[pool(static)]
    /// struct Job([u64; 4]);
    ///
    /// let watch = Watch::of_process();
    /// let job = PoolBox::new(Job([0; 4]));
    /// std::thread::spawn(move || drop(job)).join().unwrap();
    /// watch.assert_none_leaked();
    /// ```
    #[inline]
    pub fn of_process() -> Self {
        Self::with(|_| true)
    }

    #[inline]
    fn with(is_watched: fn(&PoolInfo) -> bool) -> Self {
        let (before, lent) = (Report::of(is_watched), lent(is_watched));
        Self { before, lent, is_watched, marker: PhantomData }
    }

    /// Panics if more elements of a type are alive, or detached, than when the watch began.
    ///
    /// # Panics
    ///
    /// If there are, with the types. Also if it cannot be told, since a roster is lent (by a guard, or this is in a closure of
    /// `pool_with`), or was when the watch began; or since another thread that still runs had more when it last wrote its figures
    /// down: [`publish`](crate::pools::publish) there makes them exact.
    ///
    /// # Examples
    ///
    /// ```should_panic
    /// use typed_pool::pools::Watch;
    /// use typed_pool::{PoolBox, Pooled};
    ///
    /// #[derive(Pooled)]
    /// struct Node([u64; 4]);
    ///
    /// let watch = Watch::new();
    /// std::mem::forget(PoolBox::new(Node([0; 4])));
    /// watch.assert_none_leaked(); // "leaked: 1 element of `game::Node`, 32 bytes .."
    /// ```
    #[track_caller]
    #[inline]
    pub fn assert_none_leaked(&self) {
        let (now, before) = (Report::of(self.is_watched), Index::of(&self.before));
        let sites = SiteChanges::between(&self.before.sites, &now.sites);
        let [mut leaked, mut unclear] = [String::new(), String::new()];
        // Writing to a `String` does not fail.
        for roster in lent(self.is_watched) {
            let title = OneLine(roster.title());
            let _ =
                write!(unclear, "; the roster of `{title}` is lent: ask when the borrow has ended");
        }
        for row in now.rows() {
            let (earlier, title) = (before.find(row.identity), OneLine(row.title()));
            let occupied = row.occupied();
            if occupied > 0 && self.lent.contains(&row.identity) {
                let _ = write!(
                    unclear,
                    "; the roster of `{title}` was lent when the watch was made, and has {} elements now: make it \
                     before the borrow",
                    occupied
                );
                continue;
            }
            let gain = occupied.saturating_sub(earlier.map_or(0, Row::occupied));
            if gain == 0 {
                continue;
            }
            let is_exact = row.is_exact && earlier.is_none_or(|row| row.is_exact);
            let text = if is_exact { &mut leaked } else { &mut unclear };
            let (about, elements) = (if is_exact { "" } else { "~" }, Counted(gain, "element"));
            let bytes = gain * row.slot_bytes;
            let _ = write!(text, "; {about}{elements} of `{title}`, {bytes} bytes");
            if is_exact {
                let _ = sites.write_gain(row.identity, text);
            } else {
                text.push_str(" when a thread last said so: call `pools::publish()` there");
            }
        }
        let lines = if cfg!(feature = "sites") {
            ""
        } else {
            " (the feature `sites` tells which lines made them)"
        };
        let unclear = unclear.trim_start_matches("; ");
        match (leaked.strip_prefix("; "), unclear) {
            (None, "") => {}
            (None, unclear) => panic!("cannot tell what has leaked: {unclear}"),
            (Some(leaked), "") => panic!("leaked: {leaked}{lines}"),
            (Some(leaked), unclear) => panic!("leaked: {leaked}{lines}; and perhaps: {unclear}"),
        }
    }
}

/// Rosters that are lent, into which nobody can look.
#[inline]
fn lent(is_watched: fn(&PoolInfo) -> bool) -> Vec<Identity> {
    let is_lent = |info: &PoolInfo| {
        let is_near = match info.thread {
            Some(thread) => thread.is_current && !thread.has_ended,
            None => info.storage == Storage::Static,
        };
        is_near && !info.is_exact
    };
    let infos = crate::pools::infos(false).filter(is_watched).filter(is_lent);
    infos.map(|info| info.identity).collect()
}
