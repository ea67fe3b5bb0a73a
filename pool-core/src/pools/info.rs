//! What is known of one pool, what is alive in it, and where its lines are found.

use core::fmt;
use core::ops::Deref;
use core::ptr;

use crate::base::ledger::{Facts, Record, Storage, Strategy, ThreadName};
use crate::base::stats::{Counted, OneLine, PoolStats};
#[cfg(feature = "std")]
use crate::{base::ledger::account::Entered, derived::thread_exit::thread_number};

/// One pool, as [`pools()`](fn@crate::pools::pools) finds it.
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
/// assert!(info.thread.is_some_and(|thread| thread.is_current));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolInfo {
    /// Which pool it is. Its fields are read as this one's: `info.type_name`.
    pub identity: Identity,
    /// The thread whose pool it is; `None` for static pools and for values.
    pub thread: Option<PoolThread>,
    /// The figures. Of the totals of ended threads, `high_water` is the largest, and all others are 0. Of a frame stack, a
    /// slot is a byte.
    pub stats: PoolStats,
    /// How often the pool could not meet a request.
    pub failures: usize,
    /// How often it has added a chunk. (A fixed one has one from the beginning.)
    pub grown: usize,
    /// Whether the figures are of this moment. (For a static pool, as exact as [`PoolStats`] says.) If not, the pool is another
    /// thread's, and they date from its last growth or trim or that thread's last [`publish`](crate::pools::publish); or it is a
    /// roster that is lent, and they date from its last growth, or from when its guard was made.
    pub is_exact: bool,
    pub(super) source: Source,
}

/// What tells the pools of one row from those of others.
///
/// [`PoolInfo`], [`Leak`] (by way of it), [`Row`](crate::pools::Row) and [`Change`](crate::pools::Change) deref to it. Two types
/// of one name, such as two blocks of a function may have, are two.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// let texture = PoolBox::new(Texture([0; 4]));
/// let info = typed_pool::pools().next().unwrap();
/// assert!(info.type_name.ends_with("Texture") && info.storage == *"thread_local");
/// assert_eq!(typed_pool::report().rows()[0].identity, info.identity);
/// # drop(texture);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Identity {
    /// The element's type.
    pub type_name: &'static str,
    /// The name of the pool or the pools, if they were given one.
    pub name: Option<&'static str>,
    /// How vacant slots are remembered.
    pub strategy: Strategy,
    /// Where the pool or the pools live.
    pub storage: Storage,
    /// The address of what is kept of the type; 0 of a pool that is a value.
    pub(super) record: usize,
}

impl Identity {
    /// What it is called: the name, or the type.
    pub(super) fn title(&self) -> &'static str {
        self.name.unwrap_or(self.type_name)
    }
}

/// What is said of pools derefs to which pools these are.
macro_rules! identified {
    ($($Type:ty),*) => {$(
        impl core::ops::Deref for $Type {
            type Target = $crate::pools::info::Identity;

            fn deref(&self) -> &Self::Target {
                &self.identity
            }
        }
    )*};
}

pub(super) use identified;

identified!(PoolInfo);

/// A thread that has a pool.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// let load = || std::mem::forget(PoolBox::new(Texture([0; 4])));
/// std::thread::Builder::new().name("loader".into()).spawn(load).unwrap().join().unwrap();
/// let mut threads = typed_pool::pools().filter_map(|info| info.thread);
/// let loader = threads.find(|thread| thread.id != 0).unwrap();
/// assert!(loader.has_ended && !loader.is_current);
/// # #[cfg(target_os = "linux")]
/// assert_eq!(loader.name.as_deref(), Some("loader"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolThread {
    /// The number of the thread among those with pools, from 1 on; 0 for all those together that have ended and leaked
    /// nothing.
    pub id: u32,
    /// What the system calls it, on Linux: its name's first 15 bytes. (The main thread has the program's.) That of another thread
    /// which still runs is read from `/proc`.
    pub name: Option<ThreadName>,
    /// Whether it is the thread that asks.
    pub is_current: bool,
    /// Whether its pools have been closed. What is live in them has leaked, or belongs to a thread-local that is destroyed later.
    pub has_ended: bool,
}

impl PoolInfo {
    fn new(facts: &Facts, stats: PoolStats) -> Self {
        let Facts { name, strategy, storage, .. } = *facts;
        let record = facts.upkeep.record().map_or(0, |record| ptr::from_ref(record).addr());
        Self {
            identity: Identity { type_name: (facts.type_name)(), name, strategy, storage, record },
            thread: None,
            stats,
            failures: 0,
            grown: 0,
            is_exact: true,
            source: Source::Nowhere,
        }
    }

    /// Of a pool that can only be looked at.
    #[inline]
    pub(super) fn of_record(record: &'static Record) -> Option<Self> {
        let facts = record.facts().filter(|facts| !facts.has_accounts)?;
        let stats = facts.look()?;
        let is_local = facts.storage == Storage::ThreadLocal;
        let thread = is_local.then(PoolThread::current);
        let (failures, grown) = (record.failures(), stats.chunks);
        let source = Source::at_hand(facts);
        Some(Self { thread, failures, grown, source, ..Self::new(facts, stats) })
    }

    /// Of the threads that have ended.
    #[inline]
    pub(super) fn of_ended(record: &'static Record) -> Option<Self> {
        let (facts, ended) = (record.facts()?, record.ended());
        let (name, high_water) = (facts.pool_name(), ended.high_water);
        let stats = PoolStats { name, high_water, ..PoolStats::default() };
        let thread = PoolThread { id: 0, name: None, is_current: false, has_ended: true };
        let (failures, grown) = (ended.failures, ended.grown);
        let info = Self { thread: Some(thread), failures, grown, ..Self::new(facts, stats) };
        (ended.threads > 0).then_some(info)
    }

    #[cfg(feature = "std")]
    #[inline]
    pub(super) fn of_account(entered: Entered, is_named: bool) -> Self {
        let Entered { facts, name, thread, has_ended, is_settled, .. } = entered;
        let Entered { grown, failures, stats, key, .. } = entered;
        let thread = (thread != 0).then(|| {
            let is_current = thread == this_thread();
            let name = is_named.then(|| entered.thread_name(is_current));
            let name = name.filter(|name| !name.is_empty());
            PoolThread { id: thread, name, is_current, has_ended }
        });
        let is_at_hand = match facts.storage {
            Storage::Static => true,
            _ => thread.is_some_and(|thread| thread.is_current && !has_ended),
        };
        let looked_at = if is_at_hand { facts.look() } else { None };
        // Of a value, and of an ended thread, all that happens to the pool is written down.
        let is_exact = looked_at.is_some() || is_settled || facts.storage == Storage::Owned;
        let source = match looked_at {
            Some(_) => Source::at_hand(facts),
            None if has_ended => Source::Remains(key),
            None => Source::Nowhere,
        };
        let mut info = Self::new(facts, looked_at.unwrap_or(stats));
        if facts.storage == Storage::Owned {
            info.identity.name = Some(name);
        }
        Self { thread, failures, grown, is_exact, source, ..info }
    }

    /// The row to which it belongs, where its sites are, and how many bytes each of its slots has.
    pub(super) fn sited(&self) -> (Identity, Source, usize) {
        (self.identity, self.source, self.stats.slot_bytes)
    }

    /// Whether it has ever had slots, or would have liked to.
    pub(super) fn has_grown(&self) -> bool {
        let PoolStats { high_water, bytes, .. } = self.stats;
        self.grown > 0 || self.failures > 0 || high_water > 0 || bytes > 0 || self.is_left_lent()
    }

    /// Whether it is a roster that a guard had when its thread ended: what is in it is no longer known.
    pub(super) fn is_left_lent(&self) -> bool {
        !self.is_exact && self.thread.is_some_and(|thread| thread.has_ended)
    }

    /// How many elements are in the pool. (Bytes in a frame stack are nothing.)
    pub(super) fn occupied(&self) -> usize {
        match self.strategy {
            Strategy::FRAME_STACK => 0,
            _ => self.stats.live + self.stats.detached,
        }
    }
}

/// A figure, with a mark before it if it is not exact.
pub(super) struct Figure(pub(super) usize, pub(super) bool);

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(figure, is_exact) = *self;
        write!(f, "{}{figure}", if is_exact { "" } else { "~" })
    }
}

impl PoolThread {
    fn current() -> Self {
        Self { id: this_thread(), name: None, is_current: true, has_ended: false }
    }
}

/// Elements of one pool that are still alive.
///
/// It derefs to what is known of the pool: `leak.type_name`, `leak.thread`. Where [`PoolInfo::is_exact`] is false, `Display` writes a
/// `~` before the number. Where a guard of [`pool_borrow_mut`](crate::Pooled::pool_borrow_mut) was leaked, it is what was alive when
/// the roster last grew, or that was made, perhaps 0; `Display` says how many there may be.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled, pools};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// PoolBox::leak(PoolBox::new(Texture([0; 4])));
/// let leak = pools::leaks().find(|leak| leak.type_name.ends_with("Texture")).unwrap();
/// assert_eq!((leak.live, leak.bytes), (1, 32));
/// assert!(leak.to_string().starts_with("1 element of `"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leak {
    /// What is known of the pool.
    pub info: PoolInfo,
    /// How many elements are alive, or detached from their roster. A slot that weak pointers alone keep counts as well.
    pub live: usize,
    /// The bytes of all these slots.
    pub bytes: usize,
}

impl Deref for Leak {
    type Target = PoolInfo;

    fn deref(&self) -> &PoolInfo {
        &self.info
    }
}

impl Leak {
    pub(super) fn of(info: PoolInfo) -> Option<Self> {
        let live = info.occupied();
        let leak = Self { info, live, bytes: live * info.stats.slot_bytes };
        (live > 0 || info.is_left_lent()).then_some(leak)
    }
}

impl fmt::Display for Leak {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { info, live, bytes } = *self;
        let PoolInfo { identity, thread, is_exact, .. } = info;
        let Identity { type_name, name, storage, .. } = identity;
        let about = if is_exact { "" } else { "~" };
        write!(f, "{about}{} of `{}`", Counted(live, "element"), OneLine(type_name))?;
        if let Some(name) = name {
            write!(f, " in \"{}\"", OneLine(name))?;
        }
        write!(f, ", {bytes} bytes, in ")?;
        match (thread, storage) {
            (Some(PoolThread { id, name, has_ended, .. }), _) => {
                write!(f, "thread {id}")?;
                if let Some(name) = name {
                    write!(f, " ({})", OneLine(&name))?;
                }
                match (has_ended, is_exact) {
                    (true, true) => f.write_str(", which has ended"),
                    (true, false) => {
                        write!(
                            f,
                            ", which has ended while a guard had the roster, with {} slots",
                            info.stats.capacity
                        )
                    }
                    (false, _) => Ok(()),
                }
            }
            (None, Storage::Static) => f.write_str("a static pool"),
            (None, _) => f.write_str("a pool of its own"),
        }?;
        #[cfg(feature = "alloc")]
        info.source.fmt(f)?;
        Ok(())
    }
}

/// The number of the thread that asks, where there are several.
pub(super) fn this_thread() -> u32 {
    #[cfg(feature = "std")]
    return thread_number();
    #[cfg(not(feature = "std"))]
    0
}

/// Where the lines are found that have made a pool's elements: with the feature `sites`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Nowhere: in another thread, or in a value.
    Nowhere,
    /// In the pool, at which the thread with this number can look; any, if it is 0.
    Pool(&'static Facts, u32),
    /// In what is kept of a pool whose thread has ended, by its account.
    Remains(usize),
}

impl Source {
    fn at_hand(facts: &'static Facts) -> Self {
        let is_local = facts.storage == Storage::ThreadLocal;
        Self::Pool(facts, if is_local { this_thread() } else { 0 })
    }
}

impl fmt::Debug for Source {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}
