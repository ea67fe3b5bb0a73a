//! typed-pool with `strategy = pointer_stack`, and a pointer stack that is a plain value.

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use typed_pool::{PoolBox, Pooled};

use crate::contestant::{Contestant, Owning};
use crate::objects::{Obj16, Obj64, Obj256, Obj1024};
use crate::workloads::binary_trees::Twig;
use crate::workloads::quadtree::{Node, Switch};

/// The pool that `#[derive(Pooled)]` gives with `strategy = pointer_stack`.
#[derive(Clone, Copy)]
pub struct DerivedStack;

/// A type has one pool, and those of the objects are free lists: this is the same object with another.
#[derive(Pooled)]
#[pool(
    strategy = pointer_stack,
    instances(
        Stacked<Obj16>,
        Stacked<Obj64>,
        Stacked<Obj256>,
        Stacked<Obj1024>,
        Stacked<Node<Switch>>,
        Stacked<Node<DerivedStack>>,
        Stacked<Twig<DerivedStack>>,
    )
)]
#[repr(transparent)]
pub struct Stacked<T>(T);

/// A type for which `Stacked<Self>` has a pool.
pub trait Stackable: Sized + 'static {
    /// `Stacked<Self>`.
    type Held: Pooled + DerefMut<Target = Self>;

    /// Wraps the value.
    fn hold(self) -> Self::Held;
}

macro_rules! stackable {
    ($($object:ty),* $(,)?) => {$(
        impl Stackable for $object {
            type Held = Stacked<Self>;

            #[inline(always)]
            fn hold(self) -> Stacked<Self> {
                Stacked(self)
            }
        }
    )*};
}

stackable!(Obj16, Obj64, Obj256, Obj1024, Node<Switch>, Node<DerivedStack>, Twig<DerivedStack>,);

impl<T> Deref for Stacked<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Stacked<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Stackable> Contestant<T> for DerivedStack {
    const NAME: &'static str = "typed-pool, pointer_stack";
    const RESERVES: bool = true;
    type Object = StackBox<T>;

    fn enter() -> Self {
        Self
    }

    fn reserve(self, count: usize) {
        T::Held::pool_reserve(count);
    }

    fn prefault(self) {
        T::Held::pool_prefault();
    }

    fn trim(self) {
        T::Held::pool_trim();
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> StackBox<T> {
        StackBox(PoolBox::new_with(|| make().hold()))
    }

    by_deref!(T);
}

/// A box that is a `T`'s.
pub struct StackBox<T: Stackable>(PoolBox<T::Held>);

unwrapped!([<T: Stackable>] StackBox<T>, T, object => *object.0);
