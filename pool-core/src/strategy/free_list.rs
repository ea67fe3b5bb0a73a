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
//! counter of live slots makes the hot pair a third to three quarters slower (`docs/decisions/strategy.md`).
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
use crate::strategy::slots::{SlotStore, Slots, Strategy};

/// The value of `last` that sends the next free into a closed pool (`reclaim.rs`) the rare way: not null, so that
/// the free looks at `floor`, and not a slot.
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

impl SlotStore for InFreeList {
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
        if last.addr() != 0 {
            let floor = list.floor.get().wrapping_add(slot.size());
            if floor == slots.bump() {
                // SAFETY: the caller gives up a slot of this pool.
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
        debug_assert!(count <= slots.cursor.room());
        slots.cursor.chain.append(chunk);
        Some(())
    }

    fn reset(slots: &Slots<Self>, slot: Layout) {
        slots.strategy.last.set(ptr::null_mut());
        slots.strategy.head.put(List::EMPTY);
        slots.cursor.rewind(slot);
        slots.lay_floor(0, slot);
    }

    fn live(slots: &Slots<Self>, slot: Layout) -> usize {
        slots.occupied(slot) - usize::from(!slots.strategy.last.get().is_null())
    }

    fn last_freed(slots: &Slots<Self>) -> *mut u8 {
        slots.strategy.last.get()
    }

    fn for_each_vacant(slots: &Slots<Self>, _: Layout, show: &mut dyn FnMut(*mut u8)) {
        let last = slots.strategy.last.get();
        if last.addr() > CLOSED.addr() {
            show(last);
        }
        slots.strategy.head.iter().for_each(&mut *show);
        // The chunks of an open pool have none.
        for chunk in slots.cursor.chain.iter() {
            chunk.vacant.iter().for_each(&mut *show);
        }
    }

    unsafe fn keep(slots: &Slots<Self>, freed: *mut u8) {
        slots.shelve_last();
        slots.strategy.last.set(freed);
    }

    /// Moves every vacant slot from the pool's list to its own chunk's.
    fn count(slots: &Slots<Self>, slot: Layout) -> (usize, bool) {
        slots.shelve_last();
        let (mut count, mut any) = (0, false);
        let head = &slots.strategy.head;
        while let Some(home) = slots.cursor.chain.find(head.first().addr(), slot) {
            let moved = head.move_run(&home.vacant, home.span(slot));
            any |= home.count_vacant(moved);
            count += moved;
        }
        (count, any)
    }

    /// Joins the lists of the chunks into the pool's; in a closed pool they stay.
    ///
    /// Only a free that finds `last` taken notices that the pool is empty. So while slots are vacant, `last` must have one, unless
    /// that has just been handed out.
    fn resume(slots: &Slots<Self>, slot: Layout) {
        if slots.cursor.is_closed.get() {
            return slots.lay_window(0, slot);
        }
        let Self { last, head, floor } = &slots.strategy;
        slots.lay_floor(slots.cursor.chain.iter().map(Chunk::live).sum(), slot);
        for chunk in slots.cursor.chain.iter() {
            chunk.vacant.move_run(head, chunk.span(slot));
        }
        if let Some(first) = head.pop() {
            last.set(first);
            floor.set(floor.get().wrapping_sub(slot.size()));
        }
    }

    fn unsettle(slots: &Slots<Self>, most: usize, slot: Layout) -> usize {
        let mut count = 0;
        for chunk in slots.cursor.chain.back_from_current() {
            while count < most {
                let Some(vacant) = chunk.vacant.pop() else { break };
                chunk.vacant_count.set(chunk.vacant_count.get() - 1);
                // SAFETY: the slot has just left its chunk's list.
                unsafe { slots.strategy.head.push(vacant) };
                count += 1;
            }
        }
        slots.lay_window(count, slot);
        count
    }

    fn unsettled(slots: &Slots<Self>) -> usize {
        let last = slots.strategy.last.get();
        slots.strategy.head.iter().count() + usize::from(last.addr() > CLOSED.addr())
    }
}

impl Slots<InFreeList> {
    /// Moves the slot in `last` to the list, if there is one.
    fn shelve_last(&self) {
        let last = self.strategy.last.replace(ptr::null_mut());
        if last.addr() > CLOSED.addr() {
            // SAFETY: `last` is vacant and in no list.
            unsafe { self.strategy.head.push(last) };
        }
    }

    /// For a closed pool with `listed` slots in its list: has the free that makes them [`BumpCursor::window`] go the rare way.
    fn lay_window(&self, listed: usize, slot: Layout) {
        let window = self.cursor.window();
        // A free into an empty `last` does not look at `floor`.
        self.strategy.last.set(if window == 1 { CLOSED } else { ptr::null_mut() });
        self.lay_floor(window.max(2) - listed, slot);
    }
}
