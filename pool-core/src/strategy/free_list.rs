//! The intrusive free list: vacant slots are linked through themselves.
//!
//! # The hot pair
//!
//! Three places give a slot, asked in this order:
//!
//! 1. `last`, the slot that was freed last. Its link is not written before the next slot is freed,
//!    so an object that is made and destroyed at once moves one pointer and touches no list.
//! 2. `head`, the list through the vacant slots, newest first.
//! 3. `bump`, the first slot of the current chunk that was never used (`memory/bump.rs`). Nothing is written into
//!    a slot ahead of its use.
//!
//! # Emptiness for free
//!
//! A pool that has emptied hands its slots out again as it did at first, in address order within each
//! chunk, or the next frame's tree lies scattered over the memory of the last one's. So the pool has to know the moment, and a
//! counter of live slots makes the hot pair a third to three quarters slower (`docs/decisions/free-list.md`).
//! `floor` is that counter in disguise. As soon as there is a chunk, it trails `bump`:
//!
//! ```text
//! bump - floor == (occupied - 1) * slot size
//! ```
//!
//! where *occupied* counts the slots that are neither in the list nor never used, that is, the live
//! ones and the one in `last`. Handing out a never-used slot moves `bump` and thereby counts it.
//! Only the list's own push and pop move `floor`, and `last` keeps both away from the hot pair.
//! After a push, `floor == bump` says that the one occupied slot is the one now in `last`: the pool
//! is empty. Across chunks the two move together, so the distance holds.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::stats;
use crate::base::watch::valgrind;
use crate::memory::chunk::Chunk;
use crate::memory::slot::List;
use crate::strategy::slots::{Remember, Slots, Strategy};

/// What stands in `last` once the pool's thread has begun to end (`reclaim.rs`): not null, so that
/// every free looks at `floor`, and not a slot.
const CLOSED: *mut u8 = ptr::without_provenance_mut(1);

/// Vacant slots are remembered in a list through themselves: the strategy of a [`FreeList`](crate::FreeList) and
/// of a [`RawFreeList`](crate::RawFreeList).
#[derive(Debug)]
pub struct InFreeList {
    /// The slot freed last, its link not yet written; null if there is none, or [`CLOSED`].
    last: Cell<*mut u8>,
    /// The list through the vacant slots, null if it is empty.
    head: List,
    /// See the module's documentation. An address, not a pointer: it never leads anywhere.
    floor: Cell<usize>,
}

impl Slots<InFreeList> {
    /// The address of `bump`, as `floor` is compared with it.
    ///
    /// For Valgrind it is shifted far away: otherwise `floor` may equal the address of a leaked slot, which would count
    /// as reachable.
    #[inline(always)]
    fn bump(&self) -> usize {
        const FAR: usize = if valgrind::IS_ON { 1 << (usize::BITS - 1) } else { 0 };
        self.cursor.bump.get().addr().wrapping_add(FAR)
    }

    /// Goes on with `occupied` slots outside the list.
    fn lay_floor(&self, occupied: usize, slot: Layout) {
        let distance = occupied.wrapping_sub(1).wrapping_mul(slot.size());
        self.strategy.floor.set(self.bump().wrapping_sub(distance));
    }

    /// Slots that are neither in the list nor never used. Meaningless in a closed pool.
    fn occupied(&self, slot: Layout) -> usize {
        if self.cursor.bump.get().is_null() {
            // No chunk was used yet, and `floor` says nothing.
            return 0;
        }
        let distance = self.bump().wrapping_sub(self.strategy.floor.get());
        distance.wrapping_add(slot.size()) / slot.size()
    }
}

impl Strategy for InFreeList {}

impl Remember for InFreeList {
    const EMPTY: Self =
        Self { last: Cell::new(ptr::null_mut()), head: List::EMPTY, floor: Cell::new(0) };
    const IS_INTRUSIVE: bool = true;
    const KIND: stats::Strategy = stats::Strategy::FREE_LIST;
    const TYPED_POOL: &'static str = "FreeList";
    const RAW_POOL: &'static str = "RawFreeList";

    #[inline(always)]
    fn pop(slots: &Slots<Self>, slot: Layout) -> Option<*mut u8> {
        let Self { last, head, floor } = &slots.strategy;
        let newest = last.get();
        if newest.addr() > CLOSED.addr() {
            last.set(ptr::null_mut());
            return Some(newest);
        }
        let first = head.pop()?;
        floor.set(floor.get().wrapping_sub(slot.size()));
        Some(first)
    }

    #[inline(always)]
    unsafe fn push(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let list = &slots.strategy;
        let last = list.last.get();
        if !last.is_null() {
            let floor = list.floor.get().wrapping_add(slot.size());
            if floor == slots.bump() {
                // SAFETY: passed on from the caller.
                unsafe { slots.push_rare(freed, slot) };
                return;
            }
            list.floor.set(floor);
            // SAFETY: `last` is vacant; it is not `CLOSED`, with which `floor` never differs.
            unsafe { list.head.push(last) };
        }
        list.last.set(freed);
    }

    fn advance(slots: &Slots<Self>, slot: Layout) {
        let (floor, bump) = (&slots.strategy.floor, slots.bump());
        let is_first = slots.cursor.bump.get().is_null();
        slots.cursor.advance(slot);
        match is_first {
            true => slots.lay_floor(0, slot),
            // The two move together. (To count what is occupied takes a division.)
            false => floor.set(floor.get().wrapping_add(slots.bump().wrapping_sub(bump))),
        }
    }

    fn append(slots: &Slots<Self>, chunk: NonNull<Chunk>, count: usize, _: Layout) -> Option<()> {
        debug_assert!(slots.cursor.may_grow_by(count));
        slots.cursor.chain.append(chunk);
        Some(())
    }

    fn reset(slots: &Slots<Self>, slot: Layout) {
        slots.strategy.last.set(ptr::null_mut());
        slots.strategy.head.put(List::EMPTY);
        slots.cursor.rewind(slot);
        slots.lay_floor(0, slot);
    }

    fn has_vacant(slots: &Slots<Self>) -> bool {
        !slots.strategy.last.get().is_null() || !slots.strategy.head.is_empty()
    }

    fn live(slots: &Slots<Self>, slot: Layout) -> usize {
        slots.occupied(slot) - usize::from(!slots.strategy.last.get().is_null())
    }

    fn last_freed(slots: &Slots<Self>) -> *mut u8 {
        slots.strategy.last.get()
    }

    fn for_each_vacant(slots: &Slots<Self>, _: Layout, show: &mut dyn FnMut(*mut u8)) {
        let last = slots.strategy.last.get();
        let last = (last.addr() > CLOSED.addr()).then_some(last);
        let (is_closed, chain) = (slots.cursor.is_closed.get(), &slots.cursor.chain);
        let of_chunks = is_closed.then(|| chain.iter().map(|chunk| &chunk.vacant));
        let heads = core::iter::once(&slots.strategy.head).chain(of_chunks.into_iter().flatten());
        last.into_iter().chain(heads.flat_map(List::iter)).for_each(show);
    }

    fn trim(slots: &Slots<Self>, slot: Layout) -> usize {
        // In a closed pool each chunk lists its own slots already.
        let live = (!slots.cursor.is_closed.get()).then(|| slots.sort_into_chunks(slot));
        // SAFETY: a slot of a vacant chunk is neither live nor in the pool's list any more, and
        // `BumpCursor::restart` looks at the chunks that remain.
        let spares = unsafe { slots.cursor.chain.release(Chunk::is_vacant) };
        let Some(live) = live else { return spares.bytes() };
        slots.cursor.restart(slot);
        slots.lay_floor(live, slot);
        for chunk in slots.cursor.chain.iter() {
            while let Some(vacant) = chunk.unlink() {
                // SAFETY: the slot has just left its chunk's list.
                unsafe { slots.strategy.head.push(vacant) };
            }
        }
        slots.fill_last(slot);
        spares.bytes()
    }

    fn close(slots: &Slots<Self>, slot: Layout) {
        slots.sort_into_chunks(slot);
        // Every `pop` and every `push` goes the rare way from here on.
        slots.strategy.last.set(CLOSED);
        slots.strategy.head.put(List::EMPTY);
        slots.cursor.close();
        // As before the free that leaves the last live slot alone.
        slots.lay_floor(2, slot);
        // SAFETY: as in `trim`; `BumpCursor::close` has forgotten the current chunk.
        drop(unsafe { slots.cursor.chain.release(Chunk::is_vacant) });
    }

    // Apart, so that the free that empties a pool saves fewer registers.
    #[cold]
    #[inline(never)]
    unsafe fn push_closed(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let Some(home) = slots.cursor.chain.find(freed.addr(), slot) else { return };
        // SAFETY: the slot is vacant from here on (caller), and lies in this chunk.
        unsafe { home.link(freed) };
        slots.cursor.count_put();
        if home.is_vacant() {
            slots.release_closed();
        }
    }
}

// What is rarely done (`strategy/reclaim.rs`). Every vacant slot leaves the pool's one list for a list of its own chunk. A trim then
// gathers the lists into one again, while a closed pool leaves them to the chunks.
impl Slots<InFreeList> {
    /// Moves the first slot of the list to `last`, if there is one.
    ///
    /// Only a put that finds `last` taken notices that the pool is empty. So wherever slots are
    /// vacant, one must be there, unless it has just been handed out.
    fn fill_last(&self, slot: Layout) {
        if let Some(first) = self.strategy.head.pop() {
            let list = &self.strategy;
            list.last.set(first);
            list.floor.set(list.floor.get().wrapping_sub(slot.size()));
        }
    }

    /// Gives a chunk of a closed pool back whose last slot was freed.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn release_closed(&self) {
        // SAFETY: none of a vacant chunk's slots is in use, and a closed pool lists them nowhere
        // else.
        drop(unsafe { self.cursor.chain.release(Chunk::is_vacant) });
    }

    /// Moves every vacant slot to the list of its chunk; returns how many slots are live.
    fn sort_into_chunks(&self, slot: Layout) -> usize {
        let live = InFreeList::live(self, slot);
        self.cursor.begin_counts(slot);
        let last = self.strategy.last.replace(ptr::null_mut());
        if !last.is_null() {
            // SAFETY: `last` is vacant and in no list.
            unsafe { self.strategy.head.push(last) };
        }
        let mut home = self.cursor.chain.first.get();
        while let Some(vacant) = self.strategy.head.pop() {
            if !home.is_some_and(|chunk| chunk.spans(vacant.addr(), slot)) {
                home = self.cursor.chain.find(vacant.addr(), slot);
            }
            if let Some(home) = home {
                // SAFETY: the slot has just left the pool's list, and lies in this chunk.
                unsafe { home.link(vacant) };
            }
        }
        live
    }
}

impl Chunk {
    /// Puts a slot into this chunk's list.
    ///
    /// # Safety
    ///
    /// `vacant` is a vacant slot of this chunk, in no list, good for writing a link there.
    unsafe fn link(&self, vacant: *mut u8) {
        // SAFETY: passed on from the caller.
        unsafe { self.vacant.push(vacant) };
        self.vacant_count.set(self.vacant_count.get() + 1);
    }
}
