//! A watch over what is alive.

use alloc::string::String;
use core::fmt::Write as _;
use core::marker::PhantomData;

use crate::base::stats::{Counted, OneLine, Storage};
use crate::pools::report::{Report, report};

/// Finds elements that outlive a piece of code: make a watch before the code, and ask it afterwards.
///
/// A watch looks at the pools of the thread that made it, so tests may run side by side. One from [`Watch::of_process`] looks at
/// static pools, too.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Watch;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Bullet([f32; 4]);
///
/// let watch = Watch::new();
/// drop(PoolBox::new(Bullet([0.0; 4])));
/// watch.assert_none_leaked();
/// ```
#[must_use = "it does nothing before it is asked"]
#[derive(Debug)]
pub struct Watch {
    before: Report,
    has_static: bool,
    /// It is of its thread.
    marker: PhantomData<*const ()>,
}

impl Watch {
    /// Watches this thread's pools.
    #[allow(clippy::new_without_default, reason = "a default that is told by its moment is none")]
    pub fn new() -> Self {
        Self { before: report(), has_static: false, marker: PhantomData }
    }

    /// Watches this thread's pools and the static pools. No other thread may use the static pools at that time.
    pub fn of_process() -> Self {
        Self { has_static: true, ..Self::new() }
    }

    /// Checks that no pool has more live elements than when the watch was made.
    ///
    /// # Panics
    ///
    /// If a pool has: the message names the types, and with the feature `sites` the lines. Also if a roster is in use, now or when
    /// the watch was made, so that its elements cannot be counted.
    #[track_caller]
    pub fn assert_none_leaked(&self) {
        let (now, [mut leaked, mut unclear]) = (report(), [String::new(), String::new()]);
        for (row, sites) in now.rows().iter().zip(&now.sites) {
            if row.storage == Storage::Static && !self.has_static {
                continue;
            }
            let before = self.before.rows().iter().zip(&self.before.sites);
            let before = before.into_iter().find(|(old, _)| old.key() == row.key());
            let (title, live) = (OneLine(row.title()), row.live.unwrap_or(0));
            let was_in_use = before.is_some_and(|(old, _)| old.is_in_use);
            // Writing to a `String` does not fail.
            if row.is_in_use || was_in_use && live > 0 {
                let when = if row.is_in_use { "is" } else { "was" };
                let _ = write!(unclear, "; the roster of `{title}` {when} in use");
                continue;
            }
            let gain = live.saturating_sub(before.and_then(|(old, _)| old.live).unwrap_or(0));
            if gain > 0 {
                let sites = sites.clone().gain(before.map(|(_, sites)| sites));
                let _ = write!(leaked, "; {} of `{title}`{sites}", Counted(gain, "element"));
            }
        }
        let lines = if cfg!(feature = "sites") {
            ""
        } else {
            " (the feature `sites` tells which lines made them)"
        };
        match (leaked.strip_prefix("; "), unclear.strip_prefix("; ")) {
            (None, None) => {}
            (Some(leaked), None) => panic!("leaked: {leaked}{lines}"),
            (None, Some(unclear)) => {
                panic!("cannot tell what has leaked: {unclear}; ask while no borrow is under way")
            }
            (Some(leaked), Some(unclear)) => panic!("leaked: {leaked}{lines}; and {unclear}"),
        }
    }
}
