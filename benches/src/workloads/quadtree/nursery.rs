//! Sources of a tree's nodes.

use core::ops::DerefMut;

use super::{Area, Node};
use crate::contestant::Contestant;

/// An allocator that hands out nodes in boxes.
pub trait Nursery: Copy + 'static {
    /// A node's box.
    type Child: DerefMut<Target = Node<Self>>;

    /// A leaf without items.
    fn node(self, area: Area) -> Self::Child;

    /// Takes back everything at once, in arenas.
    ///
    /// # Safety
    ///
    /// No node is used afterwards.
    unsafe fn clear(self);
}

/// Each contestant is a nursery: this is the tree that is compiled for it alone.
impl<C, B> Nursery for C
where
    C: Contestant<Node<C>, Object = B>,
    B: DerefMut<Target = Node<C>> + 'static,
{
    type Child = B;

    #[inline(always)]
    fn node(self, area: Area) -> B {
        self.alloc(|| Node::new(area))
    }

    #[inline(always)]
    unsafe fn clear(self) {
        // SAFETY: the caller's promise is the same.
        unsafe { self.reset() };
    }
}
