//! Elements that are alive when their thread has ended.

use alloc::sync::Arc;
use core::fmt;
use std::sync::{PoisonError, RwLock};

use crate::base::ledger::records;
use crate::base::stats::{Counted, OneLine, PoolStats, Storage, Strategy};
use crate::base::watch::sites::list::Sites;
use crate::thread::end;

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
