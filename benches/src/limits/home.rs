//! Where a type keeps its instance of a design: a thread-local of its own.

use super::{
    CountedList, DepthList, LastSlot, Magazine, PlainList, PointerStack, SharedMagazine, Unrolled,
};
use crate::contestants::Slots;
use crate::objects::{Obj16, Obj64, Obj256, Obj1024};
use crate::workloads::binary_trees::Twig;
use crate::workloads::frame::Bullet;
use crate::workloads::quadtree::{Node, Switch};

/// A type with a thread-local instance of a design.
pub trait Home<D>: Sized + 'static {
    /// Calls `visit` with it.
    fn with<R>(visit: impl FnOnce(&D) -> R) -> R;
}

/// Generic types cannot hold statics, so each pair of type and design is written out.
macro_rules! home {
    ($design:ident: $($object:ty),*) => {$(
        impl Home<$design> for $object {
            #[inline(always)]
            fn with<R>(visit: impl FnOnce(&$design) -> R) -> R {
                const { assert!(size_of::<$object>() >= 2 * size_of::<usize>(), "two words") };
                thread_local!(static DESIGN: $design = const { $design::new() });
                DESIGN.with(visit)
            }
        }
    )*};
}

macro_rules! homes {
    ($($design:ident),*) => {$(
        home!($design: Obj16, Obj64, Obj256, Obj1024, Node<Switch>, Node<Slots<$design>>, Twig<Slots<$design>>);
    )*};
}

homes!(PlainList, CountedList, DepthList, Magazine, PointerStack, LastSlot, Unrolled);
home!(PlainList: Bullet);
home!(PointerStack: Bullet);
home!(SharedMagazine: Obj16, Obj64, Obj256, Obj1024);
