//! Room for more elements: how a pool reserves it, and what it says when there is none.

use core::alloc::Layout;
use core::fmt;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::stats::OneLine;
use crate::memory::chunk::Chunk;
use crate::strategy::{Slots, Strategy};

impl<S: Strategy> Slots<S> {
    /// Makes room for `additional` more slots. The panic is left to the caller, which can name the pool.
    pub(crate) fn try_reserve(&self, additional: usize, slot: Layout) -> Result<(), NoRoom> {
        let reserved = self.make_room(additional, slot);
        if reserved.is_err() {
            self.cursor.account.refused();
        }
        reserved
    }

    fn make_room(&self, additional: usize, slot: Layout) -> Result<(), NoRoom> {
        let (cursor, config) = (&self.cursor, &self.cursor.config);
        if S::HAS_BLOCKS {
            // There is nothing to reserve.
            let live = self.live(slot);
            let room = S::CAPACITY.max(config.max.saturating_sub(live));
            let is_allowed = additional <= room;
            return if is_allowed { Ok(()) } else { Err(NoRoom::Limit { live, config: *config }) };
        }
        if cursor.is_ending() {
            // The thread is ending, and what is not in use would never be given back.
            return Ok(());
        }
        self.release_all(slot);
        let present = cursor.chain.slots();
        let live = self.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(present - live) else { return Ok(()) };
        if !cursor.may_grow_by(missing) {
            return Err(NoRoom::Limit { live, config: *config });
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let wanted = if config.is_fixed() { config.max } else { missing.max(present) };
        let wanted = wanted.min(config.max.saturating_sub(present));
        let mut old_array = self.grow_by(wanted, slot);
        if old_array.is_none() {
            let is_whole = config.is_fixed() || wanted == missing;
            if !is_whole {
                old_array = self.grow_by(missing, slot);
            }
            if old_array.is_none() {
                return Err(NoRoom::Heap { slots: if is_whole { wanted } else { missing } });
            }
        }
        self.note(slot);
        Ok(())
    }

    /// Why a pool of this name has just found no slot: see [`Pool::exhausted`](crate::Pool::exhausted).
    pub(crate) fn exhausted(&self, name: &'static str, slot: Layout) -> Exhausted {
        let cursor = &self.cursor;
        cursor.account.refused();
        if cursor.is_at_limit() || (S::HAS_BLOCKS && self.live(slot) >= cursor.config.max) {
            return exhausted(&cursor.config, name);
        }
        chunk_failed::<S>(cursor.config.least_chunk(), slot, name)
    }
}

/// The pool, which is called `name` unless it was given a name, is at its limit.
pub(crate) fn exhausted(config: &Config, name: &'static str) -> Exhausted {
    Exhausted::new::<()>(&config.name(config.name.unwrap_or(name)))
}

/// Why room could not be reserved.
pub(crate) enum NoRoom {
    /// The limit does not allow that many more: `live` slots are live, in a pool of this configuration.
    Limit { live: usize, config: Config },
    /// The heap has no room for a chunk of `slots` slots, or no chunk can be that large.
    Heap { slots: usize },
}

impl NoRoom {
    /// There is no room for `additional` more elements, of the type of this name.
    #[cold]
    #[track_caller]
    pub(crate) fn message<S: Strategy>(
        self,
        additional: usize,
        slot: Layout,
        name: &'static str,
    ) -> OverLimit {
        let (live, config) = match self {
            Self::Limit { live, config } => (live, config),
            Self::Heap { slots } => chunk_failed::<S>(slots, slot, name),
        };
        OverLimit { additional, live, config: config.name(config.name.unwrap_or(name)) }
    }
}

/// More slots were asked for than the limit of a pool of this configuration leaves. (Not a `String`: to make one, a program without
/// `std` would have to link what unwinds.)
pub(crate) struct OverLimit {
    additional: usize,
    live: usize,
    config: Config,
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { additional, live, config } = self;
        let (name, limit, remedy) =
            (OneLine(config.name.unwrap_or("")), config.max, config.bound.remedy());
        write!(
            f,
            "cannot reserve {additional} more slots in the pool of `{name}`: {live} of at most \
             {limit} are occupied; {remedy}"
        )
    }
}

/// The heap has no room for a chunk of `slots` slots, for elements of the type of this name, or no chunk can be that large.
#[cold]
#[track_caller]
pub(crate) fn chunk_failed<S: Strategy>(slots: usize, slot: Layout, name: &str) -> ! {
    match S::largest_block(slots, slot) {
        Some(layout) => alloc::alloc::handle_alloc_error(layout),
        None => {
            let (name, bytes) = (OneLine(name), slot.size());
            if Chunk::bytes_for(slots, slot).is_some() {
                panic!(
                    "capacity overflow: the pointers to {slots} slots for `{name}`, which a pointer stack keeps \
                     beside them, exceed isize::MAX bytes"
                );
            }
            panic!(
                "capacity overflow: {slots} slots of {bytes} bytes for `{name}` exceed isize::MAX bytes"
            )
        }
    }
}
