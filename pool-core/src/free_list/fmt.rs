//! How a free list prints itself: what it holds, in which order it will hand out, chunk by chunk.
//!
//! After the state dump of M. Gondim Lima's pool allocator (2018).

use core::fmt;

use alloc::vec::Vec;

use super::FreeList;
use crate::slot::Slot;
use crate::stats::PoolStats;

/// How many list entries and how many slots of a chunk the short form shows.
const SHOWN: usize = 64;

/// One line of figures, the order of the free list, and a map of every chunk.
///
/// In the map `#` is an occupied slot, `.` a vacant one and `-` one that was never used. Slots are
/// named `chunk:slot`. The plain form shows the first 64 entries of the list and the first 64 slots
/// of a chunk, the alternate form (`{:#}`) all of them. O(slots x chunks) time, O(slots) memory.
///
/// # Examples
///
/// ```
/// use typed_pool::FreeList;
///
/// let pool = FreeList::<[u64; 2]>::bounded(4);
/// let [a, b, c] = [1, 2, 3].map(|n| pool.alloc([n, n]));
/// drop(a);
/// drop(c);
/// let shown = pool.to_string();
/// assert!(shown.contains("1 of 4 slots live"));
/// assert!(shown.contains("free list: 0:2 -> 0:0"));
/// assert!(shown.contains(".#.-"));
/// # drop(b);
/// ```
impl<T> fmt::Display for FreeList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What is written to may be anything, a user of this pool included, so all that is shown
        // is gathered first.
        let snapshot = Snapshot::of(self);
        snapshot.write(f, if f.alternate() { usize::MAX } else { SHOWN })
    }
}

/// As its `Display`.
impl<T> fmt::Debug for FreeList<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
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
    fn of<T>(pool: &FreeList<T>) -> Self {
        let chain = &pool.list().chain;
        loop {
            let (chunks, slots) = (chain.iter().count(), chain.slots());
            let mut snapshot = Self {
                stats: pool.stats(),
                list: Vec::with_capacity(slots),
                chunks: Vec::with_capacity(chunks),
                marks: Vec::with_capacity(slots),
            };
            // The heap may be a user of this very pool. So nothing is allocated while the pool is
            // walked, and if it has grown meanwhile, this is done again.
            if (chain.iter().count(), chain.slots()) == (chunks, slots) {
                snapshot.fill(pool);
                return snapshot;
            }
        }
    }

    /// Walks the pool. Calls nobody: all room is there.
    fn fill<T>(&mut self, pool: &FreeList<T>) {
        let (list, slot) = (pool.list(), Slot::<T>::LAYOUT);
        self.stats = pool.stats();
        for chunk in list.chain.iter() {
            self.chunks.push((chunk.start, chunk.slots));
            self.marks.resize(self.marks.len() + list.used_in(chunk, slot), b'#');
            let slots: usize = self.chunks.iter().map(|(_, slots)| slots).sum();
            self.marks.resize(slots, b'-');
        }
        for vacant in list.vacant_slots() {
            let mut earlier = 0;
            for (number, chunk) in list.chain.iter().enumerate() {
                if chunk.spans(vacant.addr(), slot) {
                    let index = (vacant.addr() - chunk.start.addr()) / slot.size();
                    self.marks[earlier + index] = b'.';
                    self.list.push((number, index));
                }
                earlier += chunk.slots;
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, shown: usize) -> fmt::Result {
        writeln!(f, "FreeList of {}", self.stats)?;
        write!(f, "  free list:")?;
        for (position, (chunk, index)) in self.list.iter().take(shown).enumerate() {
            let arrow = if position == 0 { "" } else { " ->" };
            write!(f, "{arrow} {chunk}:{index}")?;
        }
        match self.list.len() {
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
