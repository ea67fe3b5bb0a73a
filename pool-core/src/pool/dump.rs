//! How a pool prints itself: what it holds, in which order it will hand out, chunk by chunk.
//!
//! After the state dump of M. Gondim Lima's pool allocator (2018).

use core::alloc::Layout;
use core::fmt;

use alloc::vec::Vec;

use crate::base::stats::PoolStats;
use crate::strategy::{Slots, Strategy};

/// How many vacant slots and how many slots of a chunk the short form shows.
const SHOWN: usize = 64;

/// Prints a pool: its `head`, then the vacant slots that are remembered, then a map of every chunk.
pub(crate) fn dump<S: Strategy>(
    f: &mut fmt::Formatter<'_>,
    pool: &Slots<S>,
    name: &'static str,
    slot: Layout,
    head: impl FnOnce(&mut fmt::Formatter<'_>, &PoolStats) -> fmt::Result,
) -> fmt::Result {
    // What is written to may be anything, a user of this pool included, so all that is shown is
    // gathered first.
    let snapshot = Snapshot::of(pool, name, slot);
    head(f, &snapshot.stats)?;
    snapshot.write(f, S::LISTED_IN, if f.alternate() { usize::MAX } else { SHOWN })
}

/// The state of a pool, without a borrow.
struct Snapshot {
    stats: PoolStats,
    /// Chunk and index of the vacant slots, in the order in which they will be handed out.
    list: Vec<(usize, usize)>,
    /// The first slot of each chunk, and how many there are.
    chunks: Vec<(*mut u8, usize)>,
    /// A mark for every slot, chunk after chunk.
    marks: Vec<u8>,
}

impl Snapshot {
    fn of<S: Strategy>(pool: &Slots<S>, name: &'static str, slot: Layout) -> Self {
        let chain = &pool.cursor.chain;
        loop {
            let (chunks, slots) = (chain.iter().count(), chain.slots());
            let mut snapshot = Self {
                stats: pool.stats(name, slot),
                list: Vec::with_capacity(slots),
                chunks: Vec::with_capacity(chunks),
                marks: Vec::with_capacity(slots),
            };
            // The heap may be a user of this very pool. So nothing is allocated while the pool is
            // walked, and if it has grown meanwhile, this is done again.
            if (chain.iter().count(), chain.slots()) == (chunks, slots) {
                snapshot.fill(pool, slot);
                snapshot.stats = pool.stats(name, slot);
                return snapshot;
            }
        }
    }

    /// Walks the pool. Allocates nothing: all room is there.
    fn fill<S: Strategy>(&mut self, pool: &Slots<S>, slot: Layout) {
        let cursor = &pool.cursor;
        for chunk in cursor.chain.iter() {
            self.chunks.push((chunk.start(), chunk.slots));
            self.marks.resize(self.marks.len() + cursor.used_in(chunk, slot), b'#');
            let slots: usize = self.chunks.iter().map(|(_, slots)| slots).sum();
            self.marks.resize(slots, b'-');
        }
        pool.for_each_vacant(slot, &mut |vacant| {
            let mut earlier = 0;
            for (number, chunk) in cursor.chain.iter().enumerate() {
                if chunk.spans(vacant.addr(), slot) {
                    let index = (vacant.addr() - chunk.start().addr()) / slot.size();
                    self.marks[earlier + index] = b'.';
                    self.list.push((number, index));
                }
                earlier += chunk.slots;
            }
        });
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, listed_in: &str, shown: usize) -> fmt::Result {
        write!(f, "\n  {listed_in}:")?;
        for (position, (chunk, index)) in self.list.iter().take(shown).enumerate() {
            let arrow = if position == 0 { "" } else { " ->" };
            write!(f, "{arrow} {chunk}:{index}")?;
        }
        // The slots beyond those that were handed out since the pool was last empty are on no list.
        let unlisted = self.marks.iter().filter(|&&mark| mark == b'-').count();
        match self.list.len() {
            0 if unlisted > 0 => {
                let slots = if unlisted == 1 { "slot" } else { "slots" };
                write!(f, " empty ({unlisted} {slots} free beyond it)")?;
            }
            0 => write!(f, " empty")?,
            listed if listed > shown => write!(f, " and {} more", listed - shown)?,
            _ => {}
        }
        let mut rest = &self.marks[..];
        for (number, &(start, slots)) in self.chunks.iter().enumerate() {
            let (marks, later) = rest.split_at(slots);
            rest = later;
            let live = marks.iter().filter(|&&mark| mark == b'#').count();
            write!(f, "\n  chunk {number} at {start:p}: {live} of {slots} live, ")?;
            for &mark in marks.iter().take(shown) {
                write!(f, "{}", char::from(mark))?;
            }
            if slots > shown {
                write!(f, " and {} more", slots - shown)?;
            }
        }
        Ok(())
    }
}
