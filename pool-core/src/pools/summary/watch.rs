//! A check for leaks, for tests.

use alloc::string::String;
use core::fmt::Write as _;
use core::marker::PhantomData;

use crate::pools::info::PoolInfo;
use crate::pools::leak::OneLine;
use crate::pools::summary::report::{Report, Row};

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
    pub fn of_process() -> Self {
        Self::with(|_| true)
    }

    fn with(is_watched: fn(&PoolInfo) -> bool) -> Self {
        Self { before: Report::of(is_watched), is_watched, marker: PhantomData }
    }

    /// Panics if more elements of a type are alive, or detached, than when the watch began.
    ///
    /// # Panics
    ///
    /// If there are, with the types.
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
    pub fn assert_none_leaked(&self) {
        let (now, mut leaked) = (Report::of(self.is_watched), String::new());
        for row in now.rows() {
            let before =
                self.before.rows().iter().find(|before| before.identity() == row.identity());
            let before = before.map_or(0, Row::occupied);
            let count = row.occupied().saturating_sub(before);
            if count > 0 {
                let separator = if leaked.is_empty() { "" } else { "; " };
                let elements = if count == 1 { "element" } else { "elements" };
                // Writing to a `String` does not fail.
                let _ = write!(
                    leaked,
                    "{separator}{count} {elements} of `{}`, {} bytes",
                    OneLine(row.title()),
                    count * row.slot_bytes
                );
                let _ = now.sites.write_gain(&self.before.sites, row.identity(), &mut leaked);
            }
        }
        let lines = if cfg!(feature = "sites") {
            ""
        } else {
            " (the feature `sites` tells which lines made them)"
        };
        assert!(leaked.is_empty(), "leaked: {leaked}{lines}");
    }
}
