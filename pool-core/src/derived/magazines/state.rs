//! What is behind the lock of a depot: a pool, batches, the nodes in which these travel, and the list of all
//! magazines.

use core::alloc::Layout;
use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::base::atomic::{IS_MODEL, const_unless_model};
use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::derived::magazines::batches::{BatchNode, BatchNodes, BatchStack};
use crate::derived::magazines::cache::Sizes;
use crate::derived::magazines::magazine::Magazine;
use crate::strategy::{InPointerStack, Remember as _, Slots};

/// A thread takes one slot in this many of the pool's at a time, if that is less than a batch. So the first chunk has
/// slots for the first objects of other threads, too: they need not grow the pool, which brings in a page. In a model,
/// the first chunk is two batches.
const SHARES: usize = if IS_MODEL { 1 } else { 4 };

/// What is behind the lock.
pub(crate) struct State {
    /// Never dropped: boxes may exist for as long as the process.
    pub(super) slots: ManuallyDrop<Slots<InPointerStack>>,
    pub(super) slot: Layout,
    pub(super) sizes: Sizes,
    /// The batches that are in no thread.
    pub(super) full: BatchStack,
    /// The lowest of them, if there is one.
    lowest: Cell<Option<NonNull<BatchNode>>>,
    /// Vacant nodes.
    pub(super) vacant: BatchStack,
    /// Where nodes come from, and go in a trim.
    pub(super) nodes: BatchNodes,
    /// The first of the magazines of all threads.
    first: Cell<*const Magazine>,
    /// How many magazines there are: not counted whenever a thread comes, since there may be thousands.
    pub(super) threads: Cell<usize>,
    /// Whether the limit allowed no slot more when the pool last found none. By the time that somebody asks for the reason, others
    /// may have freed some, and trimmed.
    is_at_limit: Cell<bool>,
}

impl State {
    const_unless_model! {
        /// A pool that is not used yet.
        pub(super) const fn new(slots: Slots<InPointerStack>, slot: Layout, sizes: Sizes) -> Self {
            Self {
                slots: ManuallyDrop::new(slots),
                slot,
                sizes,
                full: BatchStack::new(),
                lowest: Cell::new(None),
                vacant: BatchStack::new(),
                nodes: BatchNodes::EMPTY,
                first: Cell::new(ptr::null()),
                threads: Cell::new(0),
                is_at_limit: Cell::new(false),
            }
        }
    }

    /// Takes a vacant node, if there is one.
    pub(super) fn pop_node(&self) -> Option<NonNull<BatchNode>> {
        self.vacant.pop().or_else(|| self.nodes.pop())
    }

    /// Takes a batch from a thread.
    pub(super) fn push_full(&self, full: NonNull<BatchNode>) {
        if self.full.len() == 0 {
            self.lowest.set(Some(full));
        }
        self.full.push(full);
    }

    /// Takes a slot: from the pool as it is, or from a batch, or, if there is none, where the pool grows.
    pub(super) fn acquire(&self) -> Option<NonNull<u8>> {
        let slots = &self.slots;
        if let Some(slot) = slots.take(self.slot) {
            return Some(slot);
        }
        if let Some(full) = self.full.pop() {
            self.break_up(full);
            return slots.take(self.slot);
        }
        let slot = self.refill();
        self.ensure_nodes();
        slot
    }

    /// Takes a slot where the pool has none at hand.
    pub(super) fn refill(&self) -> Option<NonNull<u8>> {
        let slot = self.slots.refill(self.slot);
        if slot.is_none() {
            self.is_at_limit.set(self.slots.is_at_limit());
        }
        slot
    }

    /// Why there was no slot, for a pool that is called `name` unless it was given a name.
    pub(super) fn exhausted(&self, name: &'static str) -> Exhausted {
        self.slots.exhausted(name, self.is_at_limit.get(), self.slot)
    }

    /// Takes one slot back.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`](crate::strategy::Slots::put).
    pub(super) unsafe fn release(&self, slot: NonNull<u8>) {
        // SAFETY: passed on from the caller.
        unsafe { self.slots.put(slot.as_ptr(), self.slot) };
    }

    /// Gives a magazine a vacant node, if it has none, and slots that make a batch with the one that was just taken, or
    /// fewer if it lacks the room, or the pool is small; or returns a run of slots instead.
    pub(super) fn restock(&self, magazine: &Magazine) -> (*mut u8, usize) {
        if magazine.vacant.len() == 0 {
            let node = self.pop_node().or_else(|| {
                self.ensure_nodes();
                self.pop_node()
            });
            node.into_iter().for_each(|node| magazine.vacant.push(node));
        }
        let slots = &self.slots;
        // The heap may be a user of this very pool, and have freed slots meanwhile.
        let most = self.share().saturating_sub(magazine.slots.len() + 1);
        let (run, count) = slots.take_run(most, self.slot);
        if count == 0 {
            for slot in (0..most).map_while(|_| slots.take(self.slot)) {
                // SAFETY: these are two batches at most.
                unsafe { magazine.slots.push(slot, self.slot.size(), self.sizes.room()) };
            }
        }
        (run, count)
    }

    /// How many slots a thread takes at a time where there is no batch.
    pub(super) fn share(&self) -> usize {
        self.sizes.batch.min(self.slots.cursor.chain.slots() / SHARES)
    }

    /// Takes everything out of a magazine: slots and nodes go to where they came from, those at hand one by one.
    pub(super) fn absorb(&self, magazine: &Magazine) {
        while let Some(full) = magazine.spare.pop() {
            self.push_full(full);
        }
        while let Some(slot) = magazine.slots.pop(self.slot.size()) {
            // SAFETY: a free slot of this pool, which just left the magazine.
            unsafe { self.release(slot) };
        }
        while let Some(node) = magazine.vacant.pop() {
            self.vacant.push(node);
        }
        self.aim(magazine);
    }

    /// Puts the slots of a batch into the pool, one by one.
    fn break_up(&self, full: NonNull<BatchNode>) {
        BatchNode::with_batch(full, |batch| {
            for slot in &batch[..self.sizes.batch] {
                // SAFETY: a free slot of this pool, which is in the batch alone.
                unsafe { self.slots.put(*slot, self.slot) };
            }
        });
        self.vacant.push(full);
    }

    /// How many slots are neither in the pool nor in batches.
    pub(super) fn outside(&self) -> usize {
        self.slots.live(self.slot) - self.in_batches()
    }

    /// Tells a thread's magazine when all slots will be home.
    ///
    /// Not where so few circulate that the thread has them at hand: their order makes no difference, and to
    /// begin anew takes more time than it brings.
    #[inline]
    pub(super) fn aim(&self, magazine: &Magazine) {
        let is_worth_it = self.slots.cursor.circulating(self.slot) > self.sizes.room();
        magazine.aim(if is_worth_it { self.outside() } else { usize::MAX }, self.sizes);
    }

    /// If all slots are in batches or in this magazine, and none is taken: they count as never used, and come in the
    /// order of their addresses again.
    pub(super) fn come_home(&self, magazine: &Magazine) {
        if self.outside() == magazine.count(self.sizes.batch) {
            magazine.slots.clear();
            while let Some(full) = magazine.spare.pop() {
                self.vacant.push(full);
            }
            self.start_anew();
        }
        self.aim(magazine);
    }

    /// All slots count as never used. O(1): a free may do it.
    fn start_anew(&self) {
        if self.full.len() > 0 {
            self.lowest.get().into_iter().for_each(|lowest| self.full.pour(lowest, &self.vacant));
        }
        InPointerStack::reset(&self.slots, self.slot);
    }

    /// If all slots are in batches, and none is taken: they count as never used, and come in the order of
    /// their addresses again. Returns whether that is so.
    pub(super) fn rewind(&self) -> bool {
        let vacant = self.in_batches();
        let is_vacant = self.slots.live(self.slot) == vacant;
        if is_vacant && vacant > 0 {
            self.start_anew();
        }
        is_vacant
    }

    /// Gives the chunks without a live slot back to the heap, and the nodes that are not needed any more; returns
    /// their bytes.
    pub(super) fn trim(&self) -> usize {
        if !self.rewind() {
            while let Some(full) = self.full.pop() {
                self.break_up(full);
            }
        }
        let before = self.nodes.bytes();
        let bytes = self.slots.trim(self.slot);
        while let Some(node) = self.vacant.pop() {
            self.nodes.push(node);
        }
        self.nodes.fit(self.nodes_for(self.slots.cursor.chain.slots()));
        (bytes + before).saturating_sub(self.nodes.bytes())
    }

    /// Sees to it that there are nodes for all batches that there can be; in each thread for those that it
    /// can have filled, and one more: unless the heap has no memory for them.
    pub(super) fn ensure_nodes(&self) {
        self.nodes.ensure(self.nodes_for(self.slots.cursor.chain.slots()));
    }

    /// How many nodes there are to be for `slots` slots.
    pub(super) fn nodes_for(&self, slots: usize) -> usize {
        let Sizes { batch, max_spare, .. } = self.sizes;
        if batch == 0 || slots < batch {
            // No batch can be full.
            return 0;
        }
        let batches = slots / batch;
        let in_a_thread = batches.min(max_spare) + 1;
        batches + self.threads.get() * in_a_thread + 1
    }

    /// The magazine that a link of the list leads to.
    fn linked(&self, link: &Cell<*const Magazine>) -> Option<&Magazine> {
        // SAFETY: a magazine is on the heap, and is taken off the list before it is freed.
        unsafe { link.get().as_ref() }
    }

    /// Adds a magazine to the list.
    pub(super) fn link(&self, magazine: &Magazine) {
        if let Some(first) = self.linked(&self.first) {
            first.prev.set(magazine);
        }
        magazine.next.set(self.first.replace(magazine));
        self.threads.set(self.threads.get() + 1);
    }

    /// Takes a magazine, which is on the list, off it.
    pub(super) fn unlink(&self, magazine: &Magazine) {
        let prev = self.linked(&magazine.prev);
        debug_assert!(prev.is_some() || ptr::eq(self.first.get(), magazine), "not on the list");
        prev.map_or(&self.first, |prev| &prev.next).set(magazine.next.get());
        if let Some(next) = self.linked(&magazine.next) {
            next.prev.set(magazine.prev.get());
        }
        self.threads.set(self.threads.get() - 1);
    }

    /// The magazines of all threads.
    pub(super) fn magazines(&self) -> impl Iterator<Item = &Magazine> {
        let first = self.linked(&self.first);
        core::iter::successors(first, |other| self.linked(&other.next))
    }

    /// Free slots in all magazines.
    fn in_magazines(&self) -> usize {
        self.magazines().map(|magazine| magazine.count(self.sizes.batch)).sum()
    }

    /// Free slots in batches.
    pub(super) fn in_batches(&self) -> usize {
        self.full.len() * self.sizes.batch
    }

    /// The figures of the pool, which is called `name` unless it was given a name.
    pub(super) fn stats(&self, name: &'static str) -> PoolStats {
        let stats = self.slots.stats(name, self.slot);
        let live = stats.live.saturating_sub(self.free_elsewhere());
        PoolStats { live, bytes: stats.bytes + self.nodes.bytes(), ..stats }
    }

    /// Free slots that the pool takes for live ones. A thread that works meanwhile may be counted late.
    pub(super) fn free_elsewhere(&self) -> usize {
        self.in_batches() + self.in_magazines()
    }
}

#[cfg(feature = "view")]
mod map {
    use core::ptr;

    use crate::base::map::{PoolMap, SlotUse};
    use crate::derived::magazines::batches::{BatchNode, BatchStack};
    use crate::derived::magazines::magazine::Magazine;
    use crate::derived::magazines::state::State;

    impl State {
        /// Draws the pool. Slots in other threads' magazines are shown as live, and counted.
        pub(crate) fn draw(&self, map: &mut PoolMap, own: Option<&Magazine>) {
            self.slots.draw(map, self.slot);
            if let Some(own) = own {
                own.slots.iter().for_each(|slot| map.mark(slot.addr().get(), SlotUse::Vacant));
                self.draw_batches(&own.spare, map);
            }
            self.draw_batches(&self.full, map);
            let is_own = |other: &&Magazine| own.is_some_and(|own| ptr::eq(own, *other));
            let others = self.magazines().filter(|other| !is_own(other));
            map.set_kept_elsewhere(others.map(|other| other.count(self.sizes.batch)).sum());
        }

        fn draw_batches(&self, batches: &BatchStack, map: &mut PoolMap) {
            batches.for_each(&mut |node| {
                BatchNode::with_batch(node, |batch| {
                    let slots = batch[..self.sizes.batch].iter();
                    slots.for_each(|slot| map.mark(slot.addr(), SlotUse::Vacant));
                });
            });
        }
    }
}
