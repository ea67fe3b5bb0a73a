//! The nodes in which batches travel, and lie until they are needed.

use core::alloc::Layout;
use core::cell::Cell;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::AtomicUsize;
use crate::base::atomic::{UnsafeCell, const_unless_model};
use crate::derived::magazines::cache::Cache;
use crate::memory::chunk::Chunk;
use crate::strategy::{InFreeList, Slots};

/// What a batch travels in; the batch's tail lies behind it.
///
/// A *taken* node is one that [`BatchNodes::pop`] has returned, and that was not put back since.
#[repr(C)]
pub(crate) struct BatchNode<C: Cache> {
    /// The one below, in a stack.
    next: Cell<Option<NonNull<Self>>>,
    /// Where loom watches the uses of the batch.
    watched: UnsafeCell<()>,
    batch: MaybeUninit<C::Batch>,
}

impl<C: Cache> BatchNode<C> {
    /// Lends the place of a taken node's batch, which is the caller's alone.
    pub(super) fn with_batch<R>(node: NonNull<Self>, f: impl FnOnce(*mut C::Batch) -> R) -> R {
        // Not through a reference to the node, since the tail lies beyond its end.
        // SAFETY: a taken node lives.
        let batch = unsafe { &raw mut (*node.as_ptr()).batch };
        // SAFETY: a taken node is initialised.
        let watched = unsafe { &(*node.as_ptr()).watched };
        watched.with_mut(|_| f(batch.cast()))
    }

    /// What lies below a node that a stack has. The reference is not kept.
    fn below<'a>(node: NonNull<Self>) -> &'a Cell<Option<NonNull<Self>>> {
        // SAFETY: a taken node is initialised, and lives.
        &unsafe { node.as_ref() }.next
    }
}

/// To whom nodes are shown.
pub(super) type ShowNode<'a, C> = dyn FnMut(NonNull<BatchNode<C>>) + 'a;

/// A stack of taken nodes.
pub(super) struct BatchStack<C: Cache> {
    last: Cell<Option<NonNull<BatchNode<C>>>>,
    len: AtomicUsize,
}

impl<C: Cache> BatchStack<C> {
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

    pub(super) fn push(&self, node: NonNull<BatchNode<C>>) {
        BatchNode::below(node).set(self.last.replace(Some(node)));
        self.len.store(self.len() + 1, Ordering::Relaxed);
    }

    /// Takes the one that came last.
    pub(super) fn pop(&self) -> Option<NonNull<BatchNode<C>>> {
        let node = self.last.get()?;
        self.last.set(BatchNode::below(node).get());
        self.len.store(self.len() - 1, Ordering::Relaxed);
        Some(node)
    }

    /// Shows the nodes, the last one first.
    pub(super) fn for_each(&self, show: &mut ShowNode<'_, C>) {
        let mut next = self.last.get();
        while let Some(node) = next {
            show(node);
            next = BatchNode::below(node).get();
        }
    }

    /// Moves all nodes onto another stack; `lowest` is this one's lowest. O(1).
    pub(super) fn pour(&self, lowest: NonNull<BatchNode<C>>, onto: &Self) {
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
pub(super) struct BatchNodes<C> {
    slots: Slots<InFreeList>,
    /// The layout of one.
    node: Layout,
    marker: PhantomData<C>,
}

impl<C: Cache> BatchNodes<C> {
    const_unless_model! {
        /// Nodes for batches of `batch` slots, none of which was made yet.
        pub(super) const fn new(batch: usize) -> Self {
            let bytes = size_of::<BatchNode<C>>() + C::TAIL * batch.saturating_sub(1);
            let Ok(node) = Layout::from_size_align(bytes, align_of::<BatchNode<C>>()) else {
                panic!("a batch is small");
            };
            Self { slots: Slots::EMPTY, node, marker: PhantomData }
        }
    }

    /// Takes a node, if one is vacant. Does not ask the heap.
    pub(super) fn pop(&self) -> Option<NonNull<BatchNode<C>>> {
        let slot = self.slots.take(self.node).or_else(|| {
            let is_at_hand = self.slots.cursor.chain.has_untouched();
            is_at_hand.then(|| self.slots.refill(self.node)).flatten()
        });
        let node = slot?.cast::<BatchNode<C>>();
        let (next, watched) = (Cell::new(None), UnsafeCell::new(()));
        // SAFETY: the slot has just left the list, and is one for a node.
        unsafe { node.write(BatchNode { next, watched, batch: MaybeUninit::uninit() }) };
        Some(node)
    }

    /// Takes a taken node back, which nobody uses any more.
    pub(super) fn push(&self, node: NonNull<BatchNode<C>>) {
        // SAFETY: it came from `pop`, and nothing uses it any more.
        unsafe { self.slots.put(node.as_ptr().cast(), self.node) };
    }

    /// Sees to it that there are `wanted` nodes, taken ones included, unless the heap has no memory for them.
    pub(super) fn ensure(&self, wanted: usize) {
        let missing = missing(wanted, self.slots.cursor.chain.slots());
        if missing > 0 {
            self.slots.grow_by(missing, self.node);
        }
    }

    /// Gives the chunks without a taken node back to the heap, if there are far more nodes than are `wanted`, and sees to it that
    /// there are as many.
    pub(super) fn fit(&self, wanted: usize) {
        // Not if the heap would have to clear as much again for the next.
        if self.has_far_more_than(wanted) {
            self.slots.trim(self.node);
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
