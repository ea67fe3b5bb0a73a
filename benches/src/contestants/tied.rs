//! Typed arenas for recursive types.
//!
//! `SharedPool<Node<SharedPool<Node<..>>>>` has no end, so each tree gets a contestant with a name.

use super::{SharedArena, SharedPool};
use crate::contestant::Contestant;
use crate::workloads::binary_trees::Twig;
use crate::workloads::quadtree::Node;

macro_rules! tied {
    ($($(#[$attribute:meta])* $name:ident = $arena:ident<$object:ty>;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $name($arena<$object>);

        impl Contestant<$object> for $name {
            const NAME: &'static str = <$arena<$object> as Contestant<$object>>::NAME;
            type Object = <$arena<$object> as Contestant<$object>>::Object;

            fn enter() -> Self {
                Self($arena::enter())
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> $object) -> Self::Object {
                self.0.alloc(make)
            }

            #[inline(always)]
            fn address(self, object: &Self::Object) -> *const $object {
                self.0.address(object)
            }

            #[inline(always)]
            fn free(self, object: Self::Object) {
                self.0.free(object);
            }
        }
    )*};
}

tied! {
    /// A `SharedPool` of quad-tree nodes.
    NodePool = SharedPool<Node<NodePool>>;
    /// A `SharedArena` of quad-tree nodes.
    NodeArena = SharedArena<Node<NodeArena>>;
    /// A `SharedPool` of twigs.
    TwigPool = SharedPool<Twig<TwigPool>>;
    /// A `SharedArena` of twigs.
    TwigArena = SharedArena<Twig<TwigArena>>;
}
