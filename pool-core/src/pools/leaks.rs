//! Elements that are alive where none should be: after a piece of code, and when their thread has ended.

use alloc::string::String;
use alloc::sync::Arc;
use core::fmt::{self, Write as _};
use core::marker::PhantomData;
use std::sync::{PoisonError, RwLock};

use crate::base::ledger::records;
use crate::base::stats::{Counted, OneLine, PoolStats, Storage, Strategy};
use crate::base::watch::sites::list::Sites;
use crate::pools::report::{Report, report};
use crate::thread::end;

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
    #[inline]
    pub fn new() -> Self {
        Self { before: report(), has_static: false, marker: PhantomData }
    }

    /// Watches this thread's pools and the static pools. No other thread may use the static pools at that time.
    #[inline]
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
    #[inline]
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

/// Elements of one type that were alive when their thread ended, as [`on_leak`] reports them.
///
/// `Display` writes a sentence, with the lines that made the elements if the feature `sites` is on.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// The type's name, with its path.
    pub type_name: &'static str,
    /// The name that `#[pool(name = "..")]` gives.
    pub name: Option<&'static str>,
    /// How vacant slots are remembered.
    pub strategy: Strategy,
    /// Elements that are alive.
    pub live: usize,
    /// Bytes of their slots.
    pub bytes: usize,
    sites: Sites,
}

impl fmt::Display for Leak {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { type_name, name, live, bytes, sites, .. } = self;
        write!(f, "{} of `{}`", Counted(*live, "element"), OneLine(type_name))?;
        if let Some(name) = name {
            write!(f, " in \"{}\"", OneLine(name))?;
        }
        write!(f, ", {bytes} bytes, in a thread that has ended{sites}")
    }
}

type Listener = Arc<dyn Fn(&Leak) + Send + Sync>;

static LISTENER: RwLock<Option<Listener>> = RwLock::new(None);

/// Registers a callback for elements that a thread leaves in its thread-local pools when it ends: `f` is called for each of their
/// types. A second call of `on_leak` replaces `f`.
///
/// `f` runs on the thread that ends, when its pools are closed. A thread-local that was used before the thread's first pool is
/// destroyed later; it may still own elements, and free them correctly, but `f` reports these, too. Rosters drop their elements
/// when they are closed, and leak none.
///
/// # Panics
///
/// A panic in `f` aborts the process, as in any destructor of a thread-local.
///
/// # Examples
///
/// ```
/// use std::sync::mpsc;
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Mesh([u64; 4]);
///
/// let (sender, leaks) = mpsc::channel();
/// typed_pool::on_leak(move |leak| sender.send(leak.to_string()).unwrap());
/// std::thread::spawn(|| std::mem::forget(PoolBox::new(Mesh([0; 4])))).join().unwrap();
/// let leak = leaks.recv().unwrap(); // "1 element of `game::Mesh`, 32 bytes, in a thread that has ended"
/// assert!(leak.starts_with("1 element of `") && leak.contains("Mesh`, 32 bytes"));
/// ```
pub fn on_leak(f: impl Fn(&Leak) + Send + Sync + 'static) {
    let f: Listener = Arc::new(f);
    let before = LISTENER.write().unwrap_or_else(PoisonError::into_inner).replace(f);
    drop(before);
    end::when_it_is_over(tell);
}

/// Tells of what is live in this thread's pools.
#[inline]
fn tell() {
    // Not while it runs: it may want to be replaced.
    let listener = LISTENER.read().unwrap_or_else(PoisonError::into_inner).clone();
    let Some(f) = listener else { return };
    for record in records().iter() {
        let Some(facts) = record.facts() else { continue };
        if facts.storage != Storage::ThreadLocal || !facts.ops.is_used_here() {
            continue;
        }
        let Ok(PoolStats { live: live @ 1.., slot_bytes, .. }) = facts.ops.stats(false) else {
            continue;
        };
        f(&Leak {
            type_name: (facts.type_name)(),
            name: facts.name,
            strategy: facts.strategy,
            live,
            bytes: live * slot_bytes,
            sites: Sites::of(|| facts.ops.map(false).ok()),
        });
    }
}
