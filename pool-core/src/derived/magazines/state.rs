//! What is behind the lock of a depot: a pool, batches, and the nodes in which these travel.

use core::alloc::Layout;
use core::cell::Cell;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::derived::magazines::batches::{Node, NodeOf, NodesOf, Taken, with_batch};
use crate::derived::magazines::cache::Cache;
use crate::derived::magazines::depot::{Cached, Magazine};
use crate::memory::chunk::Chunk;
use crate::strategy::Slots;
use crate::strategy::{InFreeList, Remember as _};

/// What is behind the lock.
pub(super) struct State<P: Cached> {
    /// Never dropped: boxes may exist for as long as the process.
    pub(super) pool: ManuallyDrop<P>,
    batch: usize,
    /// How many batches a thread may set aside.
    aside: usize,
    /// The batches that are in no thread.
    pub(super) full: NodesOf<P>,
    /// The nodes, those that are neither full nor in a magazine being vacant.
    nodes: Slots<InFreeList>,
    /// The layout of one.
    node: Layout,
    /// The first of the magazines of all threads.
    magazines: Cell<*const Magazine<P>>,
    /// How many these are: not counted whenever a thread comes, since there may be thousands.
    pub(super) threads: Cell<usize>,
}

/// In models atomics are made at run time.
macro_rules! constructors {
    ($($constant:ident)?) => {
        impl<P: Cached> State<P> {
            /// A pool that is not used yet, for batches of so many slots, and threads that set so many aside.
            pub(super) $($constant)? fn new(pool: P, batch: usize, aside: usize) -> Self {
                let bytes = size_of::<NodeOf<P>>() + P::Cache::TAIL * batch.saturating_sub(1);
                let Ok(node) = Layout::from_size_align(bytes, align_of::<NodeOf<P>>()) else {
                    panic!("a batch is small");
                };
                Self {
                    pool: ManuallyDrop::new(pool),
                    batch,
                    aside,
                    full: NodesOf::<P>::new(),
                    nodes: Slots::EMPTY,
                    node,
                    magazines: Cell::new(ptr::null()),
                    threads: Cell::new(0),
                }
            }
        }
    };
}

#[cfg(not(all(loom, test)))]
constructors!(const);
#[cfg(all(loom, test))]
constructors!();

impl<P: Cached> State<P> {
    /// Takes a slot: from the pool as it is, or from a batch, or, if there is none, where the pool grows; and
    /// where it may not, from who holds one.
    pub(super) fn take(&self) -> Option<NonNull<u8>> {
        let slots = self.pool.slots();
        slots.take(P::SLOT).or_else(|| {
            if let Some(full) = self.full.pop() {
                self.break_up(full);
                return slots.take(P::SLOT);
            }
            let slot = slots.refill(P::SLOT);
            self.provide();
            slot.or_else(|| self.recall().then(|| slots.take(P::SLOT)).flatten())
        })
    }

    /// Takes one slot back.
    ///
    /// # Safety
    ///
    /// That of [`Slots::put`].
    pub(super) unsafe fn put(&self, slot: NonNull<u8>) {
        // SAFETY: passed on from the caller.
        unsafe { self.pool.slots().put(slot.as_ptr(), P::SLOT) };
    }

    /// Gives a magazine a spare node, if it has none, and `most` slots at most, or as many as have room;
    /// or returns a run of them.
    pub(super) fn stock(&self, magazine: &Magazine<P>, most: usize) -> (*mut u8, usize) {
        if magazine.vacant.len() == 0 {
            let node = self.vacant_node().or_else(|| {
                self.provide();
                self.vacant_node()
            });
            node.into_iter().for_each(|node| magazine.vacant.push(node));
        }
        // The heap may be a user of this very pool, and have had slots put there meanwhile.
        let most = most.saturating_sub(magazine.slots.len());
        let slots = self.pool.slots();
        let (run, count) = slots.take_run(most, P::SLOT);
        if count == 0 {
            for slot in (0..most).map_while(|_| slots.take(P::SLOT)) {
                // SAFETY: there is room for so many, and the slot is free.
                unsafe { magazine.slots.push(slot.as_ptr(), P::SLOT.size()) };
            }
        }
        (run, count)
    }

    /// Puts the slots of a batch into the pool, one by one.
    fn break_up(&self, full: Taken<P>) {
        let put = |slot: *mut u8| {
            // SAFETY: a free slot of this pool, which is in the batch alone.
            unsafe { self.pool.slots().put(slot, P::SLOT) };
        };
        // SAFETY: the batch is full.
        with_batch(full, |batch| unsafe { P::Cache::for_each(batch, self.batch, put) });
        self.put_node(full);
    }

    /// Brings back what threads hold. If there is nothing, then at one moment nobody held anything.
    ///
    /// To look at one thread after the other is not enough: the first may hold something again when the last is
    /// looked at. So that is done until nobody has put anything in meanwhile (`held.rs`), and again only when somebody
    /// has freed a slot.
    pub(super) fn recall(&self) -> bool {
        loop {
            let mut is_any = false;
            for magazine in self.magazines() {
                is_any |= magazine.held.sweep(|slot| {
                    // SAFETY: a free slot of this pool, which nobody holds any more.
                    unsafe { self.put(slot) };
                });
            }
            if is_any || self.magazines().all(|magazine| magazine.held.is_as_seen()) {
                return is_any;
            }
        }
    }

    /// If all slots are in batches, nobody having any: they count as never used, and come in the order of
    /// their addresses again. Returns whether that is so.
    pub(super) fn rewind(&self) -> bool {
        let mut vacant = self.in_batches();
        if cfg!(pool_seed_magazines_are_vacant) {
            vacant += self.in_magazines();
        }
        let is_vacant = self.pool.slots().live(P::SLOT) == vacant;
        if is_vacant && vacant > 0 {
            while let Some(full) = self.full.pop() {
                self.put_node(full);
            }
            P::Strategy::reset(self.pool.slots(), P::SLOT);
        }
        is_vacant
    }

    /// Gives the chunks without a live slot back to the heap, and what nodes are not needed any more; returns
    /// their bytes.
    pub(super) fn trim(&self) -> usize {
        if !self.rewind() {
            while let Some(full) = self.full.pop() {
                self.break_up(full);
            }
        }
        let before = self.bytes_of_nodes();
        let bytes = self.pool.slots().trim(P::SLOT);
        self.nodes.trim(self.node);
        self.provide();
        (bytes + before).saturating_sub(self.bytes_of_nodes())
    }

    /// A node for a batch, if one is vacant. Does not ask the heap.
    pub(super) fn vacant_node(&self) -> Option<Taken<P>> {
        let node = self.nodes.take(self.node).or_else(|| {
            let is_at_hand = self.nodes.cursor.chain.has_untouched();
            is_at_hand.then(|| self.nodes.refill(self.node)).flatten()
        });
        let node: Taken<P> = node?.cast();
        // SAFETY: the slot has just left the list, and is one for a node.
        unsafe { node.write(Node::vacant()) };
        Some(node)
    }

    /// Takes a vacant node back.
    pub(super) fn put_node(&self, node: Taken<P>) {
        // SAFETY: it came from `vacant_node`, and nobody uses it any more.
        unsafe { self.nodes.put(node.as_ptr().cast(), self.node) };
    }

    /// Sees to it that there is a node for each batch that there can be, and for as many in each thread as that
    /// can have filled, and one: unless the heap has no memory for them.
    pub(super) fn provide(&self) {
        let slots = self.pool.slots().cursor.chain.slots();
        if self.batch == 0 || slots == 0 {
            return;
        }
        let batches = slots / self.batch;
        let of_a_thread = batches.min(self.aside) + 1;
        let wanted = batches + self.threads.get() * of_a_thread + 1;
        let present = self.nodes.cursor.chain.slots();
        if wanted > present {
            // Not a chunk for each thread.
            let more = (wanted - present).max(present / 2);
            self.nodes.grow_by(more, self.node);
        }
    }

    /// The magazine that a link of the list leads to.
    fn linked(&self, link: &Cell<*const Magazine<P>>) -> Option<&Magazine<P>> {
        // SAFETY: a thread takes its magazine off the list before it ends.
        unsafe { link.get().as_ref() }
    }

    /// Adds a magazine to the list.
    pub(super) fn enlist(&self, magazine: &Magazine<P>) {
        if let Some(first) = self.linked(&self.magazines) {
            first.prev.set(magazine);
        }
        magazine.next.set(self.magazines.replace(magazine));
        self.threads.set(self.threads.get() + 1);
    }

    /// Takes a magazine, which is on the list, off it.
    pub(super) fn strike(&self, magazine: &Magazine<P>) {
        let prev = self.linked(&magazine.prev);
        debug_assert!(prev.is_some() || ptr::eq(self.magazines.get(), magazine), "it is not");
        prev.map_or(&self.magazines, |prev| &prev.next).set(magazine.next.get());
        if let Some(next) = self.linked(&magazine.next) {
            next.prev.set(magazine.prev.get());
        }
        self.threads.set(self.threads.get() - 1);
    }

    /// The magazines of all threads.
    pub(super) fn magazines(&self) -> impl Iterator<Item = &Magazine<P>> {
        let first = self.linked(&self.magazines);
        core::iter::successors(first, |other| self.linked(&other.next))
    }

    /// Free slots in all magazines.
    fn in_magazines(&self) -> usize {
        let of_one = |magazine: &Magazine<P>| {
            magazine.slots.len() + magazine.held.count() + magazine.aside.len() * self.batch
        };
        self.magazines().map(of_one).sum()
    }

    /// Free slots in batches.
    pub(super) fn in_batches(&self) -> usize {
        self.full.len() * self.batch
    }

    /// Free slots that the pool takes for live ones. A thread that works meanwhile may be counted late.
    pub(super) fn elsewhere(&self) -> usize {
        self.in_batches() + self.in_magazines()
    }

    /// Heap bytes that nodes take.
    pub(super) fn bytes_of_nodes(&self) -> usize {
        self.nodes.cursor.chain.iter().map(Chunk::bytes).sum()
    }
}
