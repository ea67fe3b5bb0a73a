//! What the process knows of its pools, and keeps for those who ask (the room `pools`).
//!
//! Every type with a pool has a [`Record`], in a static that its pool has anyway; the first use that leaves the hot path puts
//! it into a list. A pool that grows has an *account* as well ([`Account`]): an entry of a table with its latest figures, which
//! its owner writes when it grows, is trimmed and ends, and which any thread reads without a lock ([`Versioned`]).
//!
//! Nothing here calls the heap while it holds a lock, and no user's code runs within.

use core::fmt;
use core::ops::Deref;
use core::ptr;

use crate::base::exhausted::{Exhausted, ReserveError};
#[cfg(all(feature = "alloc", feature = "view"))]
use crate::base::map::PoolMap;
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;

#[cfg_attr(
    any(not(all(feature = "std", feature = "view")), all(loom, test)),
    path = "ledger/account_off.rs"
)]
pub(crate) mod account;
#[cfg(any(all(feature = "view", target_has_atomic = "ptr"), all(loom, test)))]
mod record;
pub(crate) mod versioned;

pub(crate) use account::{Account, RosterAccount};
pub(crate) use record::Records;

/// How a pool remembers its vacant slots. It is displayed, and compares with text, as in `#[pool(strategy = ..)]`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Strategy;
///
/// assert_eq!(Strategy::FREE_LIST.to_string(), "free_list");
/// assert!(Strategy::ROSTER == *"roster");
/// ```
// Constants, and no variants: beside a variant of the name `Roster` the compiler's messages would name the type by its path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strategy(&'static str);

impl Strategy {
    /// A list through the vacant slots.
    pub const FREE_LIST: Self = Self("free_list");
    /// Their addresses, beside them.
    pub const POINTER_STACK: Self = Self("pointer_stack");
    /// Handles lead to the slots.
    pub const ROSTER: Self = Self("roster");
    /// A stack of blocks of any size.
    pub const FRAME_STACK: Self = Self("frame_stack");

    /// The word for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Strategy;
    ///
    /// assert_eq!(Strategy::POINTER_STACK.as_str(), "pointer_stack");
    /// ```
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

/// Where a pool lives. It is displayed, and compares with text, as in `#[pool(..)]`; a value is `owned`.
///
/// # Examples
///
/// ```
/// use typed_pool::pools::Storage;
///
/// assert_eq!(Storage::ThreadLocal.to_string(), "thread_local");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Storage {
    /// Each thread has one.
    ThreadLocal,
    /// One for the whole process.
    Static,
    /// A value with a name, such as `FreeList::named("sparks")`.
    Owned,
}

impl Storage {
    /// The word for it.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::pools::Storage;
    ///
    /// assert_eq!(Storage::Owned.as_str(), "owned");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ThreadLocal => "thread_local",
            Self::Static => "static",
            Self::Owned => "owned",
        }
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! words {
    ($($type:ident)*) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl PartialEq<str> for $type {
            fn eq(&self, word: &str) -> bool {
                self.as_str() == word
            }
        }
    )*};
}

words!(Strategy Storage);

/// The name of a thread, as far as the system has kept it. It derefs to `str`.
///
/// # Examples
///
/// ```
/// use typed_pool::{PoolBox, Pooled};
///
/// #[derive(Pooled)]
/// struct Texture([u64; 4]);
///
/// let load = || {
///     let texture = PoolBox::new(Texture([0; 4]));
///     let infos = typed_pool::pools().filter_map(|info| info.thread);
///     let name = infos.filter(|thread| thread.is_current).find_map(|thread| thread.name);
///     # #[cfg(target_os = "linux")]
///     assert!(name.is_some_and(|name| name.starts_with("load")));
///     # drop(texture);
/// };
/// std::thread::Builder::new().name("loader".into()).spawn(load).unwrap().join().unwrap();
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ThreadName {
    pub(crate) bytes: [u8; Self::BYTES],
}

impl ThreadName {
    pub(crate) const BYTES: usize = 16;
}

impl Deref for ThreadName {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        let name = self.bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        // It may be cut in the middle of a character.
        name.utf8_chunks().next().map_or("", |chunk| chunk.valid())
    }
}

impl fmt::Debug for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for ThreadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

/// The thread whose pool it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    /// The number of the thread; 0 for none.
    pub(crate) thread: u32,
    /// Whether its pools have been closed.
    pub(crate) has_ended: bool,
}

impl Owner {
    /// No thread's: of static pools, and of values.
    pub(crate) const NONE: Self = Self { thread: 0, has_ended: false };
}

/// What does not change about the pools of one type.
pub(crate) struct Facts {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) name: Option<&'static str>,
    pub(crate) strategy: Strategy,
    pub(crate) storage: Storage,
    /// Whether pools of this type have accounts. Others can only be looked at.
    pub(crate) has_accounts: bool,
    pub(crate) upkeep: &'static dyn Upkeep,
}

/// What the process keeps of the pools of one type.
pub(crate) type Record = record::Record<Facts>;

#[cfg(not(all(loom, test)))]
static RECORDS: Records<Facts> = Records::new();

/// All records of the process.
#[cfg(not(all(loom, test)))]
pub(crate) fn records() -> impl Iterator<Item = &'static Record> {
    RECORDS.iter()
}

impl Record {
    /// Sees to it that the record is in the list of all, if the target can keep one.
    pub(crate) fn join(&'static self, facts: &'static Facts) {
        #[cfg(not(all(loom, test)))]
        self.join_in(&RECORDS, facts);
        let _ = facts;
    }
}

/// What a thread does with the pools of its list.
#[cfg_attr(not(feature = "std"), allow(dead_code, reason = "without `std` no thread ends"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    /// The thread ends: each is closed.
    End,
    /// Magazines are emptied: `flush_thread`.
    Flush,
}

/// What is rarely done with this thread's pool of a type, or with the one that all threads share.
///
/// A refusal is returned, since a panic in here would not name the user's line ([`Facts::expect`]). By default the pool is out
/// of reach.
pub(crate) trait Upkeep: Sync {
    /// The figures. An error instead of waiting for another thread or for a user's code, unless it may wait.
    fn stats(&'static self, _may_wait: bool) -> Result<PoolStats, Refusal> {
        Err(Refusal::InUse)
    }

    /// Shows the line that has made each element, where that is kept.
    #[cfg_attr(not(feature = "sites"), allow(dead_code, reason = "for `sites`"))]
    fn show_lines(
        &'static self,
        _may_wait: bool,
        _found: &mut dyn FnMut(Line),
    ) -> Result<(), Refusal> {
        Err(Refusal::InUse)
    }

    /// How its memory is used.
    #[cfg(all(feature = "alloc", feature = "view"))]
    fn map(&'static self) -> Result<PoolMap, Refusal> {
        Err(Refusal::InUse)
    }

    /// Makes room for that many more elements.
    fn reserve(&'static self, _additional: usize) -> Result<(), Refusal> {
        Err(Refusal::InUse)
    }

    /// Brings in the memory of slots that were never used.
    fn prefault(&'static self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Gives the chunks without an occupied slot back to the heap; returns their bytes.
    fn trim(&'static self) -> Result<usize, Refusal> {
        Ok(0)
    }

    /// Why a pool of boxes has just found no slot.
    fn exhausted(&'static self) -> Result<Exhausted, Refusal> {
        Err(Refusal::InUse)
    }

    /// Does what `visit` says with this thread's part of it. Returns what comes after this pool in the thread's list
    /// (`derived/thread_exit`).
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "without `std` no thread ends"))]
    fn visit(&'static self, _visit: Visit) -> Option<&'static dyn Upkeep> {
        None
    }

    /// Where the totals of the type's threads are. `None` for a pool that is a value.
    fn record(&'static self) -> Option<&'static Record> {
        None
    }
}

/// Stands for a pool that is a value: others cannot look at it.
struct OutOfReach;

impl Upkeep for OutOfReach {}

/// Each pool has its own.
impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self, other)
    }
}

impl Eq for Facts {}

/// Why something cannot be done with a pool.
pub(crate) enum Refusal {
    /// The roster is lent, or the pool is a value.
    InUse,
    /// A thread uses its pool for the first time, and the platform has no memory for the pool itself.
    NoMemory,
    /// As many slots as are to be reserved.
    NoRoom(ReserveError),
}

impl Facts {
    /// Of a pool that is a value with a name, which its account has.
    pub(crate) const fn owned(type_name: fn() -> &'static str, strategy: Strategy) -> Self {
        let (name, storage) = (None, Storage::Owned);
        Self { type_name, name, strategy, storage, has_accounts: true, upkeep: &OutOfReach }
    }

    /// The figures at this moment. `None` if the pool cannot be looked at now, without waiting for a user's code.
    pub(crate) fn look(&self) -> Option<PoolStats> {
        self.upkeep.stats(false).ok()
    }

    /// The name in figures and messages.
    pub(crate) fn pool_name(&self) -> &'static str {
        match self.name {
            Some(name) => name,
            None => (self.type_name)(),
        }
    }

    /// What was done with the pool; a refusal is a panic here, at the caller's line.
    #[track_caller]
    pub(crate) fn expect<R>(&self, done: Result<R, Refusal>) -> R {
        match done {
            Ok(result) => result,
            Err(refusal) => self.refuse(refusal),
        }
    }

    #[cold]
    #[track_caller]
    pub(crate) fn refuse(&self, refusal: Refusal) -> ! {
        match refusal {
            Refusal::InUse => panic!(
                "the pool of `{}` is in use: use the closure's argument, or the guard, or end the borrow first \
                 (`pool_with`, `pool_read`, `pool_get`, `pool_borrow`)",
                (self.type_name)()
            ),
            Refusal::NoMemory => {
                panic!("the system has no memory for the thread's pool of `{}`", (self.type_name)())
            }
            Refusal::NoRoom(error) => error.raise(),
        }
    }
}

/// Where nobody asks, or where the target cannot compare and swap pointers: nothing is kept.
#[cfg(not(any(all(feature = "view", target_has_atomic = "ptr"), all(loom, test))))]
mod record {
    use core::fmt;
    use core::marker::PhantomData;

    /// What the process keeps of the pools of one type: nothing.
    pub(crate) struct Record<F: 'static>(PhantomData<fn() -> F>);

    /// The records of a process: none.
    pub(crate) type Records<F> = Record<F>;

    impl<F> Record<F> {
        pub(crate) const fn new() -> Self {
            Self(PhantomData)
        }

        pub(crate) fn is_listed(&self) -> bool {
            true
        }

        pub(crate) fn refused(&self) {}

        pub(crate) fn join_in(&self, _: &Self, _: &'static F) {}

        pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Self> + use<F> {
            core::iter::empty()
        }
    }

    impl<F> fmt::Debug for Record<F> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Record")
        }
    }
}
