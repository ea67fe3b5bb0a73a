//! Chunks: blocks of slots from the heap, and the chain in which a pool keeps them.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::ledger::Record;
use crate::base::stats::Memory;
use crate::base::watch::hardened;
use crate::base::watch::valgrind::{self, Hidden};
use crate::base::watch::{Mark, sanitizer};
use crate::memory::heap;
use crate::memory::pages;
use crate::memory::slot::List;

/// Chunks begin on a cache line, so that slots of 2^n bytes never straddle two.
const CHUNK_ALIGN: usize = 64;
/// The alignment that heaps give to every block.
const BLOCK_ALIGN: usize = 16;

/// The header that stands before a chunk's slots, in the same heap block.
///
/// A chunk is only ever reached through the pointer that the heap returned for the whole block:
/// slot pointers come from `start`, which carries the same provenance.
pub(crate) struct Chunk {
    next: ChunkLink,
    previous: ChunkLink,
    /// The first slot.
    start: Hidden,
    /// The number of slots.
    pub(crate) slots: usize,
    layout: Layout,
    /// The list of this chunk's own vacant slots while chunks count (`strategy/reclaim.rs`).
    pub(crate) vacant: List,
    /// While chunks count: how many slots are not occupied.
    pub(crate) vacant_count: Cell<usize>,
    /// While chunks count: how many slots were used.
    pub(crate) used: Cell<usize>,
    /// How many bytes of slots were ever used, as far as the pool's `bump` no longer tells.
    pub(crate) touched: Cell<usize>,
    /// The memory that a closed pool keeps beside its chunks. Never read: it is there for a leak checker, which finds the chunk by a
    /// leaked box, and then this.
    pub(crate) beside: Cell<*const u8>,
}

impl Chunk {
    /// The layout of a chunk of `slots` slots, and the bytes before its first slot, without the padding; `None` where the
    /// chunk exceeds `isize::MAX` bytes.
    ///
    /// The layout has room for the padding up to `CHUNK_ALIGN`, or the slots' alignment, wherever the block lies: a heap takes longer for
    /// an aligned block, and a microsecond if it is the first of the process.
    pub(crate) fn layout(slots: usize, slot: Layout) -> Option<(Layout, usize)> {
        let header = Layout::new::<Self>().align_to(BLOCK_ALIGN).ok()?;
        let (header, _) = header.extend(Layout::array::<Mark>(slots).ok()?).ok()?;
        let before = header.pad_to_align().size();
        let padding = slot.align().max(CHUNK_ALIGN) - header.align();
        let size = slot.size().checked_mul(slots)?.checked_add(before.checked_add(padding)?)?;
        let block = Layout::from_size_align(size, header.align()).ok()?;
        Some((pages::aligned(block), before))
    }

    /// A new chunk from the heap, not yet in any chain; `None` where the heap has no room or the
    /// size exceeds `isize::MAX` bytes.
    pub(crate) fn allocate(slots: usize, slot: Layout) -> Option<NonNull<Self>> {
        debug_assert!(slots > 0);
        let (layout, before) = Self::layout(slots, slot)?;
        let block = pages::alloc(layout)?;
        let align = slot.align().max(CHUNK_ALIGN);
        let padding = (block.addr().get() + before).wrapping_neg() & (align - 1);
        debug_assert!(before + padding + slot.size() * slots <= layout.size());
        let start = Hidden::new(block.as_ptr(), before + padding);
        let chunk = block.cast::<Self>();
        let header = Self {
            next: ChunkLink::new(),
            previous: ChunkLink::new(),
            start,
            slots,
            layout,
            vacant: List::EMPTY,
            vacant_count: Cell::new(slots),
            used: Cell::new(0),
            touched: Cell::new(0),
            beside: Cell::new(ptr::null()),
        };
        // SAFETY: the block is new, large enough and aligned for a header (`layout`).
        unsafe { chunk.write(header) };
        // SAFETY: the block's slots, which nothing else points to yet.
        unsafe { hardened::fill(start.get(), slot.size() * slots) };
        valgrind::create(block.as_ptr(), size_of::<Self>(), layout.size());
        let marks = marks_before(start.get(), slots);
        sanitizer::reveal(marks, size_of::<Mark>() * slots);
        // SAFETY: between the header and the slots is room for them (`layout`), and zeros are marks of slots that were
        // never used.
        unsafe { marks.cast::<Mark>().write_bytes(0, slots) };
        sanitizer::poison(start.get(), slot.size() * slots);
        Some(chunk)
    }

    /// Gives the block back to the heap.
    ///
    /// # Safety
    ///
    /// `chunk` came from [`Chunk::allocate`], is in no chain, and none of its slots is used again.
    pub(crate) unsafe fn release(chunk: NonNull<Self>) {
        // SAFETY: the chunk is still allocated (caller).
        let layout = unsafe { chunk.as_ref() }.layout;
        valgrind::destroy(chunk.as_ptr().cast(), size_of::<Self>(), layout.size());
        sanitizer::unpoison(chunk.as_ptr().cast(), layout.size());
        // SAFETY: it was allocated with this very layout, and this is the last use of it (caller).
        unsafe { heap::dealloc(chunk.as_ptr().cast(), layout) };
    }

    /// The first slot.
    #[inline(always)]
    pub(crate) fn start(&self) -> *mut u8 {
        self.start.get()
    }

    /// The slot with this number, from 0; one past the last, if there are no more.
    pub(crate) fn slot(&self, number: usize, slot: Layout) -> *mut u8 {
        self.start().wrapping_add(number * slot.size())
    }

    /// The address of the first slot, and the bytes of all.
    pub(crate) fn span(&self, slot: Layout) -> (usize, usize) {
        (self.start().addr(), self.slots * slot.size())
    }

    /// Whether the address lies among this chunk's slots.
    pub(crate) fn spans(&self, address: usize, slot: Layout) -> bool {
        address.wrapping_sub(self.start().addr()) < self.slots * slot.size()
    }

    /// The mark of the slot in which the address, one of this chunk's slots, lies.
    #[inline]
    fn mark_at(&self, address: usize, slot: Layout) -> &Mark {
        let number = (address - self.start().addr()) / slot.size();
        debug_assert!(number < self.slots);
        let mark = marks_before(self.start(), self.slots).wrapping_add(size_of::<Mark>() * number);
        // SAFETY: there is one for each slot, as long as there is the chunk (`allocate`).
        unsafe { &*mark.cast::<Mark>() }
    }

    /// Whether the slot at the address, one of this chunk's, is occupied; `None` if that is not known here.
    #[inline]
    pub(crate) fn is_occupied(&self, address: usize, slot: Layout) -> Option<bool> {
        self.mark_at(address, slot).is_occupied()
    }

    /// Accounts for a slot of this chunk that is handed out.
    #[inline]
    pub(crate) fn hand_out(&self, taken: *mut u8, slot: Layout) {
        self.mark_at(taken.addr(), slot).occupy();
        valgrind::hand_out(ptr::from_ref(self).cast(), taken, slot.size());
    }

    /// Accounts for a slot of this chunk that is taken back.
    #[inline]
    pub(crate) fn take_back(&self, freed: *mut u8, slot: Layout) {
        // Whether it was occupied has been checked, if that is to be.
        let _ = self.mark_at(freed.addr(), slot).vacate();
        valgrind::take_back(ptr::from_ref(self).cast(), freed);
    }

    /// Returns how many slots of this chunk, which counts, are live.
    pub(crate) fn live(&self) -> usize {
        self.slots - self.vacant_count.get()
    }

    /// Whether no slot of this chunk, which counts, is live.
    pub(crate) fn is_vacant(&self) -> bool {
        self.vacant_count.get() == self.slots
    }

    /// Begins to count: no vacant slot is listed here yet, and `used` slots are used.
    pub(crate) fn begin_count(&self, used: usize) {
        self.vacant.put(List::EMPTY);
        self.used.set(used);
        self.vacant_count.set(self.slots - used);
    }

    /// Takes the next never-used slot of this chunk, which counts.
    pub(crate) fn take_fresh(&self, slot: Layout) -> Option<*mut u8> {
        let used = self.used.get();
        if used == self.slots {
            return None;
        }
        self.used.set(used + 1);
        self.vacant_count.set(self.vacant_count.get() - 1);
        Some(self.slot(used, slot))
    }

    /// Counts vacant slots of this chunk; returns whether all are vacant.
    pub(crate) fn count_vacant(&self, count: usize) -> bool {
        self.vacant_count.set(self.vacant_count.get() + count);
        self.is_vacant()
    }

    /// The heap bytes of this chunk, its header included.
    pub(crate) fn bytes(&self) -> usize {
        self.layout.size()
    }

    fn memory(&self) -> Memory {
        Memory { capacity: self.slots, chunks: 1, bytes: self.bytes() }
    }
}

/// Leads to a chunk of the chain that it is a part of.
pub(crate) struct ChunkLink(Cell<Option<NonNull<Chunk>>>);

impl ChunkLink {
    const fn new() -> Self {
        Self(Cell::new(None))
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&Chunk> {
        match self.0.get() {
            // SAFETY: a chain links only living chunks, and removes a chunk before it is released (`Chain`); headers are only ever
            // shared.
            Some(chunk) => Some(unsafe { chunk.as_ref() }),
            None => None,
        }
    }

    /// Leads to where another one does.
    fn follow(&self, other: &Self) {
        self.0.set(other.0.get());
    }

    /// The chunks from here on.
    fn iter(&self) -> impl Iterator<Item = &Chunk> {
        core::iter::successors(self.get(), |chunk| chunk.next.get())
    }
}

/// Returns the address of the marks of a chunk's slots, the first of which is at `start`.
fn marks_before(start: *mut u8, slots: usize) -> *mut u8 {
    start.wrapping_sub(size_of::<Mark>() * slots)
}

/// The chunks of one pool, in the order in which they were made. Their never-used slots are handed out
/// in the same order: every chunk before `current` is used up, every chunk after it is untouched.
///
/// Not in the order of addresses: the newest chunk is the largest, often lies lowest, and may hardly have been used. By
/// addresses, a pool that has emptied would go on in memory that it never used, and leave used memory idle.
pub(crate) struct Chain {
    pub(crate) first: ChunkLink,
    /// The chunk whose never-used slots are being handed out.
    pub(crate) current: ChunkLink,
    /// The record to whose totals the chunks are added, if the pool is one of a type.
    pub(crate) record: Cell<Option<&'static Record>>,
}

impl Chain {
    pub(crate) const fn new() -> Self {
        Self { first: ChunkLink::new(), current: ChunkLink::new(), record: Cell::new(None) }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Chunk> {
        self.first.iter()
    }

    /// The chunk among whose slots the address lies. O(chunks), of which there are O(log slots).
    pub(crate) fn find(&self, address: usize, slot: Layout) -> Option<&Chunk> {
        let used = self.find_used(address, slot.size()).map(|(chunk, _)| chunk);
        used.or_else(|| self.untouched().iter().find(|chunk| chunk.spans(address, slot)))
    }

    /// [`Chain::find`] up to the current chunk, with the address's offset from the chunk's first slot.
    ///
    /// Plain branches, since a debug build calls this for each box that is dropped. The newest chunks come first: they are the largest.
    #[inline(always)]
    pub(crate) fn find_used(&self, address: usize, slot_bytes: usize) -> Option<(&Chunk, usize)> {
        let mut place = &self.current;
        while let Some(chunk) = place.get() {
            let offset = address.wrapping_sub(chunk.start().addr());
            if offset < chunk.slots.wrapping_mul(slot_bytes) {
                return Some((chunk, offset));
            }
            place = &chunk.previous;
        }
        None
    }

    /// Slots in all chunks.
    pub(crate) fn slots(&self) -> usize {
        self.iter().map(|chunk| chunk.slots).sum()
    }

    /// Tells the record of a change of the pool's memory, from `before` to `now`.
    pub(crate) fn change(&self, before: Memory, now: Memory) {
        if let Some(record) = self.record.get() {
            record.change(before, now);
        }
    }

    /// Puts a new chunk at the end of the chain.
    pub(crate) fn append(&self, chunk: NonNull<Chunk>) {
        let tail = self.iter().last();
        let end = tail.map_or(&self.first, |tail| &tail.next);
        end.0.set(Some(chunk));
        if let Some(added) = end.get() {
            added.previous.0.set(tail.map(NonNull::from));
            self.change(Memory::NONE, added.memory());
        }
    }

    /// The link to the chunk after the current one.
    fn untouched(&self) -> &ChunkLink {
        match self.current.get() {
            Some(chunk) => &chunk.next,
            None => &self.first,
        }
    }

    /// Whether there is a chunk after the current one.
    pub(crate) fn has_untouched(&self) -> bool {
        self.untouched().get().is_some()
    }

    /// Makes the chunk after the current one current.
    pub(crate) fn advance(&self) {
        self.current.follow(self.untouched());
    }

    /// Makes the newest chunk current.
    pub(crate) fn go_to_last(&self) {
        while self.has_untouched() {
            self.advance();
        }
    }

    /// The chunks from the current one back to the oldest.
    pub(crate) fn back_from_current(&self) -> impl Iterator<Item = &Chunk> {
        core::iter::successors(self.current.get(), |chunk| chunk.previous.get())
    }

    /// Begins anew with the oldest chunk.
    pub(crate) fn rewind(&self) {
        self.current.follow(&self.first);
    }

    /// Releases every chunk that `spare` names and returns their bytes. If the current chunk is
    /// among them, the last that remains becomes current.
    ///
    /// # Safety
    ///
    /// No slot of a chunk that `spare` names is used again.
    pub(crate) unsafe fn release(&self, mut spare: impl FnMut(&Chunk) -> bool) -> Spares {
        let spares = ChunkLink::new();
        let mut tail = None;
        let mut place = &self.first;
        while let Some(chunk) = place.get() {
            if spare(chunk) {
                self.change(chunk.memory(), Memory::NONE);
                let next = chunk.next.0.replace(spares.0.get());
                spares.follow(place);
                if self.current.get().is_some_and(|current| ptr::eq(current, chunk)) {
                    self.current.0.set(tail);
                }
                place.0.set(next);
            } else {
                chunk.previous.0.set(tail);
                tail = place.0.get();
                place = &chunk.next;
            }
        }
        Spares(spares)
    }
}

/// Chunks that have left their chain. Dropping this gives them back to the heap. The pool must be at rest at that
/// moment, since the heap may use it.
#[must_use]
pub(crate) struct Spares(ChunkLink);

impl Spares {
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(Chunk::bytes).sum()
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        while let Some(chunk) = self.0.0.get() {
            self.0.get().into_iter().for_each(|chunk| self.0.follow(&chunk.next));
            // SAFETY: it is in no chain, and nothing uses its slots (`Chain::release`).
            unsafe { Chunk::release(chunk) };
        }
    }
}
