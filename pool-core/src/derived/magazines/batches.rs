//! In what batches travel, and lie while nobody needs them.

use core::cell::Cell;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use crate::base::atomic::atomic::AtomicUsize;
use crate::base::atomic::{UnsafeCell, const_unless_model};
use crate::derived::magazines::cache::Cache;
use crate::derived::magazines::depot::Cached;

/// In what a batch travels; behind it lies the batch's tail.
#[repr(C)]
pub(crate) struct Node<B> {
    /// The one below, in a stack.
    next: Cell<Option<NonNull<Self>>>,
    /// Where loom watches who uses the batch.
    watched: UnsafeCell<()>,
    batch: MaybeUninit<B>,
}

impl<B> Node<B> {
    /// One without a batch.
    pub(super) fn vacant() -> Self {
        let (next, watched) = (Cell::new(None), UnsafeCell::new(()));
        Self { next, watched, batch: MaybeUninit::uninit() }
    }
}

/// A node of a pool.
pub(super) type NodeOf<P> = Node<<<P as Cached>::Cache as Cache>::Batch>;
/// One that was taken (`State::vacant_node`) and not put back.
pub(super) type Taken<P> = NonNull<NodeOf<P>>;

/// Lends where the batch of a taken node is, which is the caller's alone.
pub(super) fn with_batch<B, R>(node: NonNull<Node<B>>, f: impl FnOnce(*mut B) -> R) -> R {
    // Not by a reference to the node, beyond whose end the tail would be.
    // SAFETY: a taken node lives.
    let batch = unsafe { &raw mut (*node.as_ptr()).batch };
    // SAFETY: as above.
    let watched = unsafe { &raw const (*node.as_ptr()).watched };
    // SAFETY: a taken node is initialised.
    unsafe { &*watched }.with_mut(|_| f(batch.cast()))
}

/// A stack of taken nodes.
pub(super) struct Nodes<B> {
    last: Cell<Option<NonNull<Node<B>>>>,
    len: AtomicUsize,
}

/// A stack of a pool's.
pub(super) type NodesOf<P> = Nodes<<<P as Cached>::Cache as Cache>::Batch>;

impl<B> Nodes<B> {
    const_unless_model! {
        /// Without a node.
        pub(super) const fn new() -> Self {
            Self { last: Cell::new(None), len: AtomicUsize::new(0) }
        }
    }
}

impl<B> Nodes<B> {
    /// How many there are. Other threads may ask, for a figure.
    pub(super) fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    pub(super) fn push(&self, node: NonNull<Node<B>>) {
        // SAFETY: a taken node is initialised, and lives.
        unsafe { node.as_ref() }.next.set(self.last.replace(Some(node)));
        self.len.store(self.len() + 1, Ordering::Relaxed);
    }

    /// Takes the one that came last.
    pub(super) fn pop(&self) -> Option<NonNull<Node<B>>> {
        let node = self.last.get()?;
        // SAFETY: as in `push`.
        self.last.set(unsafe { node.as_ref() }.next.get());
        self.len.store(self.len() - 1, Ordering::Relaxed);
        Some(node)
    }
}
