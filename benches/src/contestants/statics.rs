//! typed-pool with `#[pool(static)]`, where a type has a pool of its thread's already.

use core::ops::{Deref, DerefMut};
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

        impl Deref for $object {
            type Target = Node<Switch>;

            #[inline(always)]
            fn deref(&self) -> &Node<Switch> {
                &self.0.0
            }
        }

        impl DerefMut for $object {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Node<Switch> {
                &mut self.0.0
            }
        }

        impl Owning for $object {
            #[inline(always)]
            fn into_raw(self) -> NonNull<Node<Switch>> {
                // SAFETY: a box never lies at the null address; the held type is a transparent wrapper.
                unsafe { NonNull::new_unchecked(PoolBox::into_raw(self.0).cast()) }
            }

            #[inline(always)]
            unsafe fn from_raw(value: NonNull<Node<Switch>>) -> Self {
                // SAFETY: the caller's promise is the one that `PoolBox` asks for.
                Self(unsafe { PoolBox::from_raw(value.as_ptr().cast()) })
            }
        }
    )*};
}

statics! {
    /// One growing pool for all threads.
    DerivedStatic, Static, StaticBox = "typed-pool, static": (static);
    /// The same with a free list.
    DerivedStaticList, StaticList, StaticListBox = "typed-pool, static free_list":
        (static, strategy = free_list);
}
