//! The bump cursor: the chunks of a pool, and how far their slots were handed out for the first time.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr;

use crate::base::config::Config;
use crate::base::watch::sanitizer;
use crate::memory::chunk::{Chain, Chunk};
use crate::memory::heap;
use crate::memory::pages;

/// Bytes of slots in a first chunk whose size the user has not chosen, and the fewest slots: little, so that the first chunks of a
/// thread's pools share a page, which one fault brings in.
const FIRST_CHUNK: (usize, usize) = (512, 4);
/// Up to so many bytes or slots a chunk quadruples the pool, so that it does not take many chunks to get there.
const SMALL_POOL: (usize, usize) = (8 * 1024, 16);

/// Never-used slots, in the order of the chain. Every method takes the slots' layout, always the same.
pub(crate) struct BumpCursor {
    /// The next slot that was never used.
    pub(crate) bump: Cell<*mut u8>,
    /// The end of the chunk into which `bump` points.
    end: Cell<*mut u8>,
    pub(crate) chain: Chain,
    /// Slots in the chunks that were used up before the current one; of a closed pool, slots that its chunks do not count as vacant.
    pub(crate) used_up: Cell<usize>,
    /// The most slots that were ever live at a time, as far as `bump` no longer tells.
    pub(crate) peak: Cell<usize>,
    /// Whether each chunk counts its own slots: the pool's thread has begun to end.
    pub(crate) is_closed: Cell<bool>,
    /// Whether the pool waits for the heap. A heap that uses the pool itself then finds the slots at hand, and no others.
    is_at_heap: Cell<bool>,
    pub(crate) config: Config,
}

impl BumpCursor {
    /// A cursor without chunks, which grows as far as memory lasts.
    pub(crate) const fn new(config: Config) -> Self {
        Self {
            bump: Cell::new(ptr::null_mut()),
            end: Cell::new(ptr::null_mut()),
            chain: Chain::new(),
            used_up: Cell::new(0),
            peak: Cell::new(0),
            is_closed: Cell::new(false),
            is_at_heap: Cell::new(false),
            config,
        }
    }

    /// Takes the next never-used slot of the current chunk.
    #[inline(always)]
    pub(crate) fn take(&self, slot: Layout) -> Option<*mut u8> {
        let bump = self.bump.get();
        if bump == self.end.get() {
            return None;
        }
        // Inside the chunk or at its end, where wrapping or not makes no difference.
        self.bump.set(bump.wrapping_add(slot.size()));
        Some(bump)
    }

    /// Takes the next never-used slots of the current chunk, `most` at most; returns the first, and how many.
    #[inline]
    pub(crate) fn take_run(&self, most: usize, slot: Layout) -> (*mut u8, usize) {
        let first = self.bump.get();
        let count = most.min((self.end.get().addr() - first.addr()) / slot.size());
        self.bump.set(first.wrapping_add(count * slot.size()));
        (first, count)
    }

    /// Asks `grow_by` for the next chunk; `None` at the limit, or if the heap has no room.
    pub(crate) fn grow<R>(&self, slot: Layout, grow_by: impl Fn(usize) -> Option<R>) -> Option<R> {
        let present = self.chain.slots();
        let (fewest, least) = match self.config.first {
            0 => {
                let slots = |(bytes, slots): (usize, usize)| slots.max(bytes / slot.size());
                let missing = slots(SMALL_POOL).saturating_sub(present);
                (if present == 0 { slots(FIRST_CHUNK) } else { missing.min(3 * present) }, 1)
            }
            first => (first, first),
        };
        heap::grow(present.max(fewest), least, self.room(), grow_by)
    }

    /// Calls `f`, which grows or shrinks the pool; `None` if that is under way already: then the heap, which it calls, uses the pool.
    pub(crate) fn at_heap<R>(&self, f: impl FnOnce() -> Option<R>) -> Option<R> {
        if self.is_at_heap.replace(true) {
            return None;
        }
        let done = f();
        self.is_at_heap.set(false);
        done
    }

    /// How many more slots the limit allows.
    pub(crate) fn room(&self) -> usize {
        self.config.max.saturating_sub(self.chain.slots())
    }

    /// The current chunk is used up: goes on with the next.
    pub(crate) fn advance(&self, slot: Layout) {
        debug_assert_eq!(self.bump.get(), self.end.get(), "the current chunk has slots");
        if let Some(chunk) = self.chain.current.get() {
            chunk.touched.set(chunk.slots * slot.size());
            self.used_up.set(self.used_up.get() + chunk.slots);
        }
        self.chain.advance();
        self.go_on_at(0, slot);
    }

    /// The pool has emptied: all slots count as never used again, the oldest chunk's first.
    pub(crate) fn rewind(&self, slot: Layout) {
        if let Some(chunk) = self.chain.current.get() {
            let used = self.bump.get().addr() - chunk.start().addr();
            if chunk.touched.get() < used {
                chunk.touched.set(used);
            }
        }
        self.peak.set(self.high_water(slot));
        self.used_up.set(0);
        self.chain.rewind();
        self.go_on_at(0, slot);
    }

    /// Goes on with the chunks that a trim has left, which have counted.
    pub(crate) fn restart(&self, slot: Layout) {
        let earlier = self.chain.back_from_current().skip(1);
        self.used_up.set(earlier.map(|chunk| chunk.slots).sum());
        let used = self.chain.current.get().map_or(0, |chunk| chunk.used.get());
        self.go_on_at(used, slot);
    }

    /// Has every chunk hand out its own never-used slots from here on. The chunks have begun to count.
    pub(crate) fn close(&self) {
        self.is_closed.set(true);
        self.used_up.set(self.chain.iter().map(Chunk::live).sum());
        self.chain.go_to_last();
        self.bump.set(ptr::null_mut());
        self.end.set(ptr::null_mut());
    }

    /// Goes on behind the first `used` slots of the current chunk.
    fn go_on_at(&self, used: usize, slot: Layout) {
        let (bump, end) = match self.chain.current.get() {
            Some(chunk) => (chunk.slot(used, slot), chunk.slot(chunk.slots, slot)),
            None => (ptr::null_mut(), ptr::null_mut()),
        };
        self.bump.set(bump);
        self.end.set(end);
    }

    /// Slots that were handed out at least once since the pool was last empty.
    ///
    /// Never-used slots are handed out only when all others are live, so this is also the most
    /// slots that were live at a time since then. Meaningless in a closed pool.
    pub(crate) fn circulating(&self, slot: Layout) -> usize {
        let start = self.chain.current.get().map_or(ptr::null_mut(), |chunk| chunk.start());
        self.used_up.get() + (self.bump.get().addr() - start.addr()) / slot.size()
    }

    /// Whether a slot that was handed out since the pool was last empty begins at the address.
    #[inline(always)]
    pub(crate) fn is_handed_out(&self, address: usize, slot: Layout) -> bool {
        let size = slot.size();
        let Some((chunk, offset)) = self.chain.find_used(address, size) else { return false };
        let is_fresh = if self.is_closed.get() {
            offset >= chunk.used.get() * size
        } else {
            // No chunk before the current one has such slots.
            let bump = self.bump.get().addr();
            address.wrapping_sub(bump) < self.end.get().addr().wrapping_sub(bump)
        };
        offset % size == 0 && !is_fresh
    }

    /// Brings in the pages of slots that were never used. Freed slots are resident, and not written to.
    pub(crate) fn prefault(&self, slot: Layout) {
        for chunk in self.chain.iter() {
            let touched = chunk.touched.get().max(self.used_in(chunk, slot) * slot.size());
            let untouched = chunk.start().wrapping_add(touched);
            let bytes = chunk.slots * slot.size() - touched;
            // SAFETY: these slots are vacant and hold not even a link, since they were never used.
            unsafe { pages::touch(untouched, bytes) };
            sanitizer::poison(untouched, bytes);
        }
    }

    /// How many slots of a chunk were used since the pool was last empty.
    pub(crate) fn used_in(&self, chunk: &Chunk, slot: Layout) -> usize {
        if self.is_closed.get() {
            return chunk.used.get();
        }
        let mut used = self.chain.back_from_current();
        match used.next() {
            Some(current) if ptr::eq(current, chunk) => {
                (self.bump.get().addr() - chunk.start().addr()) / slot.size()
            }
            _ if used.any(|earlier| ptr::eq(earlier, chunk)) => chunk.slots,
            _ => 0,
        }
    }

    /// The most slots that were ever live at a time.
    pub(crate) fn high_water(&self, slot: Layout) -> usize {
        let lately = if self.is_closed.get() { 0 } else { self.circulating(slot) };
        self.peak.get().max(lately)
    }

    /// How many slots a closed pool takes back before its chunks count them: half of those that are live, so that the last is
    /// counted, too; at most 64, and at least one.
    pub(crate) fn window(&self) -> usize {
        (self.used_up.get() / 2).clamp(1, 64)
    }

    /// Has every chunk begin to count, with no vacant slot listed yet, and as many used slots as it has now.
    pub(crate) fn begin_counts(&self, slot: Layout) {
        self.peak.set(self.high_water(slot));
        for chunk in self.chain.iter() {
            chunk.begin_count(self.used_in(chunk, slot));
        }
    }
}
