//! The nodes in which batches travel, and lie until they are needed.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::AtomicUsize;
use crate::base::atomic::{UnsafeCell, const_unless_model};
use crate::derived::magazines::cache::{Batch, MAX_BATCH};
use crate::memory::chunk::Chunk;
use crate::strategy::{InFreeList, Slots};

/// What a batch travels in.
///
/// A *taken* node is one that [`BatchNodes::pop`] has returned, and that was not put back since.
pub(crate) struct BatchNode {
    /// The one below, in a stack.
    next: Cell<Option<NonNull<Self>>>,
    batch: UnsafeCell<Batch>,
}

impl BatchNode {
    /// A taken node. The reference is not kept.
    fn taken<'a>(node: NonNull<Self>) -> &'a Self {
        // SAFETY: a taken node is initialised, and lives.
        unsafe { node.as_ref() }
    }

    /// Lends a taken node's batch, which is the caller's alone.
    pub(super) fn with_batch<R>(node: NonNull<Self>, f: impl FnOnce(&mut Batch) -> R) -> R {
        // SAFETY: nobody else uses it (caller), and `f` has no node.
        Self::taken(node).batch.with_mut(|batch| f(unsafe { &mut *batch }))
    }

    /// What lies below a node that a stack has.
    fn below<'a>(node: NonNull<Self>) -> &'a Cell<Option<NonNull<Self>>> {
        &Self::taken(node).next
    }
}

/// To whom nodes are shown.
pub(super) type ShowNode<'a> = dyn FnMut(NonNull<BatchNode>) + 'a;

/// A stack of taken nodes.
pub(super) struct BatchStack {
    last: Cell<Option<NonNull<BatchNode>>>,
    len: AtomicUsize,
}

impl BatchStack {
    const_unless_model! {
        /// Without a node.
        pub(super) const fn new() -> Self {
            Self { last: Cell::new(None), len: AtomicUsize::new(0) }
        }
    }

    /// How many there are. Other threads may ask, for statistics.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    pub(super) fn push(&self, node: NonNull<BatchNode>) {
        BatchNode::below(node).set(self.last.replace(Some(node)));
        self.len.store(self.len() + 1, Ordering::Relaxed);
    }

    /// Takes the one that came last.
    pub(super) fn pop(&self) -> Option<NonNull<BatchNode>> {
        let node = self.last.get()?;
        self.last.set(BatchNode::below(node).get());
        self.len.store(self.len() - 1, Ordering::Relaxed);
        Some(node)
    }

    /// Shows the nodes, the last one first.
    pub(super) fn for_each(&self, show: &mut ShowNode<'_>) {
        let mut next = self.last.get();
        while let Some(node) = next {
            show(node);
            next = BatchNode::below(node).get();
        }
    }

    /// Moves all nodes onto another stack; `lowest` is this one's lowest. O(1).
    pub(super) fn pour(&self, lowest: NonNull<BatchNode>, onto: &Self) {
        BatchNode::below(lowest).set(onto.last.get());
        onto.last.set(self.last.take());
        onto.len.store(onto.len() + self.len(), Ordering::Relaxed);
        self.len.store(0, Ordering::Relaxed);
    }
}

/// How many nodes to make if there are to be `wanted`.
fn missing(wanted: usize, present: usize) -> usize {
    match wanted.saturating_sub(present) {
        0 => 0,
        // Not a chunk for each thread.
        missing => missing.max(present / 2),
    }
}

/// Where nodes come from: a free list of them.
pub(super) struct BatchNodes {
    slots: Slots<InFreeList>,
}

impl BatchNodes {
    /// The layout of one.
    const NODE: Layout = Layout::new::<BatchNode>();

    /// None was made yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(super) const EMPTY: Self = Self { slots: Slots::EMPTY };

    /// Takes a node, if one is vacant. Does not ask the heap.
    #[inline(never)]
    pub(super) fn pop(&self) -> Option<NonNull<BatchNode>> {
        let slot = self.slots.take(Self::NODE).or_else(|| {
            let is_at_hand = self.slots.cursor.chain.has_untouched();
            is_at_hand.then(|| self.slots.refill(Self::NODE)).flatten()
        });
        let node = slot?.cast::<BatchNode>();
        let (next, batch) = (Cell::new(None), UnsafeCell::new([ptr::null_mut(); MAX_BATCH]));
        // SAFETY: the slot has just left the list, and is one for a node.
        unsafe { node.write(BatchNode { next, batch }) };
        Some(node)
    }

    /// Takes a taken node back, which nobody uses any more.
    pub(super) fn push(&self, node: NonNull<BatchNode>) {
        // SAFETY: it came from `pop`, and nothing uses it any more.
        unsafe { self.slots.put(node.as_ptr().cast(), Self::NODE) };
    }

    /// Sees to it that there are `wanted` nodes, taken ones included, unless the heap has no memory for them.
    pub(super) fn ensure(&self, wanted: usize) {
        let missing = missing(wanted, self.slots.cursor.chain.slots());
        if missing > 0 {
            self.slots.grow_by(missing, Self::NODE);
        }
    }

    /// Gives the chunks without a taken node back to the heap, if there are far more nodes than are `wanted`, and sees to it that
    /// there are as many.
    pub(super) fn fit(&self, wanted: usize) {
        // Not if the heap would have to clear as much again for the next.
        if self.has_far_more_than(wanted) {
            self.slots.trim(Self::NODE);
        }
        self.ensure(wanted);
    }

    fn has_far_more_than(&self, wanted: usize) -> bool {
        self.slots.cursor.chain.slots() > 2 * wanted
    }

    /// The bytes of all chunks.
    pub(super) fn bytes(&self) -> usize {
        self.slots.cursor.chain.iter().map(Chunk::bytes).sum()
    }
}
