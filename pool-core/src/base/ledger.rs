//! The record of each type's pools, which the room `pools` reads.
//!
//! A type with a pool has a [`Record`] in a static. The first use that leaves the hot path puts it into a list. A pool adds to its
//! type's totals whenever it gets memory or gives memory back; nothing is written on a hot path.
//!
//! Nothing here calls the heap, and no user's code runs within.

use crate::base::exhausted::Exhausted;
#[cfg(all(feature = "alloc", feature = "view"))]
use crate::base::map::PoolMap;
use crate::base::stats::{Memory, PoolStats, Storage, Strategy};

pub(crate) mod record;

use record::Records;

/// The memory that a roster has added to the totals of its type. It is subtracted when this is dropped.
pub(crate) struct Published {
    /// The type's record, unless the roster is a value.
    record: Option<&'static Record>,
    memory: Memory,
}

impl Published {
    /// For a roster that is a value.
    pub(crate) const NONE: Self = Self { record: None, memory: Memory::NONE };

    /// Whether the roster adds to no totals.
    pub(crate) fn is_none(&self) -> bool {
        self.record.is_none()
    }

    /// Adds to the totals of the record from here on.
    #[inline]
    pub(crate) fn join(&mut self, record: &'static Record) {
        *self = Self { record: Some(record), memory: Memory::NONE };
    }

    /// Says that the roster has `memory` now, and how many of its slots were in use at once.
    pub(crate) fn publish(&mut self, memory: Memory, high_water: usize) {
        if let Some(record) = self.record {
            record.change(self.memory, memory);
            record.note_high_water(high_water);
        }
        self.memory = memory;
    }

    /// Counts a request that was not met.
    pub(crate) fn refused(&self) {
        if let Some(record) = self.record {
            record.refused();
        }
    }
}

impl Drop for Published {
    fn drop(&mut self) {
        self.publish(Memory::NONE, 0);
    }
}

/// Facts about the pools of one type, which do not change.
pub(crate) struct TypeFacts {
    pub(crate) type_name: fn() -> &'static str,
    pub(crate) name: Option<&'static str>,
    pub(crate) strategy: Strategy,
    pub(crate) storage: Storage,
    pub(crate) ops: &'static dyn PoolOps,
}

/// The process's record of the pools of one type.
pub(crate) type Record = record::Record<TypeFacts>;

/// All records of the process.
#[cfg(not(all(loom, test)))]
pub(crate) fn records() -> &'static Records<TypeFacts> {
    static RECORDS: Records<TypeFacts> = Records::new();

    &RECORDS
}

impl Record {
    /// Adds the record to the list of all, unless it is there, or the target can keep no list.
    pub(crate) fn join(&'static self, facts: &'static TypeFacts) {
        #[cfg(all(target_has_atomic = "ptr", not(all(loom, test))))]
        if !self.is_listed() {
            records().enlist(self, facts);
        }
        let _ = facts;
    }
}

/// A thread's visit to the pools of its list.
#[cfg_attr(not(feature = "std"), allow(dead_code, reason = "without `std` no thread ends"))]
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Visit {
    /// The thread ends: each is closed.
    End,
    /// Magazines are emptied: `flush_thread`.
    Flush,
}

/// Rare operations on this thread's pool of a type, or on the one that all threads share.
///
/// A refusal is returned, since a panic in here would not name the user's line ([`TypeFacts::expect`]).
pub(crate) trait PoolOps: Sync {
    /// Returns the statistics. Unless it `may_wait`, returns an error where it would wait for another thread or a user's code.
    fn stats(&'static self, may_wait: bool) -> Result<PoolStats, OpError>;

    /// Returns a map of its memory; an error as for [`PoolOps::stats`].
    #[cfg(all(feature = "alloc", feature = "view"))]
    fn map(&'static self, may_wait: bool) -> Result<PoolMap, OpError>;

    /// Makes room for that many more elements.
    fn reserve(&'static self, additional: usize) -> Result<(), OpError>;

    /// Brings in the memory of slots that were never used.
    fn prefault(&'static self) -> Result<(), OpError> {
        Ok(())
    }

    /// Gives the chunks without an occupied slot back to the heap; returns their bytes.
    fn trim(&'static self) -> Result<usize, OpError> {
        Ok(0)
    }

    /// Returns the reason why a pool of boxes has just found no slot.
    fn exhausted(&'static self) -> Result<Exhausted, OpError> {
        Err(OpError::InUse)
    }

    /// Visits this thread's part of the pool. Returns the next pool in the thread's list (`thread/end`).
    #[cfg_attr(not(feature = "std"), allow(dead_code, reason = "without `std` no thread ends"))]
    fn visit(&'static self, _visit: Visit) -> Option<&'static dyn PoolOps> {
        None
    }

    /// Whether this thread has a pool of its own that has grown; of a static pool, always.
    fn is_used_here(&'static self) -> bool {
        true
    }
}

/// Why something cannot be done with a pool.
pub(crate) enum OpError {
    /// The roster is lent, or the pool is a value.
    InUse,
    /// A thread uses its pool for the first time, and the platform has no memory for the pool itself.
    NoMemory,
    /// The heap, or the limit, refuses the slots to be reserved.
    NoRoom(Exhausted),
}

impl TypeFacts {
    /// The name in statistics and messages.
    pub(crate) fn pool_name(&self) -> &'static str {
        match self.name {
            Some(name) => name,
            None => (self.type_name)(),
        }
    }

    /// Calls an operation of the pool, and panics if it is refused.
    #[inline]
    #[track_caller]
    pub(crate) fn run<R>(&self, f: impl FnOnce(&'static dyn PoolOps) -> Result<R, OpError>) -> R {
        self.expect(f(self.ops))
    }

    /// Unwraps the result of an operation; a refusal is a panic here, at the caller's line.
    #[track_caller]
    pub(crate) fn expect<R>(&self, done: Result<R, OpError>) -> R {
        match done {
            Ok(result) => result,
            Err(refusal) => refusal.raise(self.type_name),
        }
    }
}

impl OpError {
    /// Panics: it was the pool of this type.
    #[cold]
    #[track_caller]
    pub(crate) fn raise(self, type_name: fn() -> &'static str) -> ! {
        match self {
            Self::InUse => panic!(
                "the pool of `{}` is in use: use the closure's argument, or the guard, or end the borrow first \
                 (`pool_with`, `pool_read`, `pool_get`, `pool_borrow`); in a destructor, call `pool_remove_later`",
                type_name()
            ),
            Self::NoMemory => {
                panic!("the system has no memory for the thread's pool of `{}`", type_name())
            }
            Self::NoRoom(error) => error.raise(),
        }
    }
}
