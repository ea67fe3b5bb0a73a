//! typed-pool with `#[pool(static)]`, where a type has a pool of its thread's already.

use core::ptr::NonNull;

use typed_pool::{PoolBox, Pooled};

use crate::contestant::{Contestant, Owning};
use crate::workloads::quadtree::{Node, Switch};

macro_rules! statics {
    ($(
        $(#[$attribute:meta])*
        $contestant:ident, $held:ident, $object:ident = $name:literal: $options:tt;
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $contestant;

        /// A type has one pool: this is the same object with another.
        #[derive(Pooled)]
        #[pool $options]
        #[repr(transparent)]
        pub struct $held(Node<Switch>);

        // SAFETY: a static pool asks for it. The workload sends no node to another thread, as no tree of
        // `Switch` may go there, and this module makes none.
        unsafe impl Send for $held {}

        /// A box that is a node's.
        pub struct $object(PoolBox<$held>);

        impl Contestant<Node<Switch>> for $contestant {
            const NAME: &'static str = $name;
            type Object = $object;

            fn enter() -> Self {
                Self
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> Node<Switch>) -> $object {
                $object(PoolBox::new_with(|| $held(make())))
            }

            by_deref!(Node<Switch>);
        }

        unwrapped!([] $object, Node<Switch>, object => object.0.0);
    )*};
}

statics! {
    /// One growing pool for all threads.
    DerivedStatic, Static, StaticBox = "typed-pool, static": (static);
    /// The same with a free list.
    DerivedStaticList, StaticList, StaticListBox = "typed-pool, static free_list":
        (static, strategy = free_list);
}
