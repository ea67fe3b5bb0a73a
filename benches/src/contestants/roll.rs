//! The contestants of the workloads of boxes.

use core::ops::Deref;

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;
use typed_pool::Pooled;

use super::stack::Stackable;
use super::tied::{NodeArena, NodePool, TwigArena, TwigPool};
use super::{
    AnyBox, AnyShared, Bump, Derived, DerivedStack, DerivedStatic, DerivedStaticList, Held, Owned,
    OwnedStack, SharedArena, SharedPool, Slabs, Slots, SystemBox,
};
use crate::contestant::Contestant;
use crate::limits::{Home, PlainList, PointerStack, SharedMagazine};
use crate::objects::Payload;
use crate::workloads::binary_trees::Twig;
use crate::workloads::map::{self, Boxes};
use crate::workloads::quadtree::{Node, Nursery, Switchable};

/// An object of the flat workloads: a type with a pool, and with an instance of each limit.
pub trait Flat:
    Payload + Pooled + Stackable + Home<PlainList> + Home<PointerStack> + Home<SharedMagazine>
{
}

impl<T> Flat for T where
    T: Payload + Pooled + Stackable + Home<PlainList> + Home<PointerStack> + Home<SharedMagazine>
{
}

visitors! {
    VisitFlat<T: Flat> [C: Contestant<T>];
    VisitSwitched [C: Switchable];
    VisitNursery [C: Nursery + Contestant<Node<C>>];
    VisitTwigs [C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>];
    VisitMaps [C: Boxes<map::Node<u64, u64, C>>];
}

/// typed-pool, the limits, the heaps, the crates.
pub fn flat_peers<T: Flat>(visitor: &mut impl VisitFlat<T>) {
    visit!(
        visitor: Derived, DerivedStack, AnyBox, AnyShared, Owned<T>, OwnedStack<T>, Slots<PlainList>, Slots<PointerStack>,
        SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
        Slabs<T>, SharedPool<T>, SharedArena<T>, Bump,
    );
}

/// Further limits of the pair: with no thread-local to ask for, and of pools that all threads share.
pub fn flat_limits<T: Flat>(visitor: &mut impl VisitFlat<T>) {
    visit!(visitor: Held<T>, Slots<SharedMagazine>);
}

/// [`flat_peers`] with boxes in a quad-tree; keys and owned pools are no boxes of one word.
pub fn switched_peers(visitor: &mut impl VisitSwitched) {
    visit!(
        visitor: Derived, DerivedStack, AnyBox, AnyShared, DerivedStatic, DerivedStaticList,
        Slots<PlainList>, Slots<PointerStack>,
        SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
        SharedPool<_>, SharedArena<_>, Bump,
    );
}

/// [`switched_peers`], each with a tree of its own.
pub fn nursery_peers(visitor: &mut impl VisitNursery) {
    visit!(
        visitor: Derived, DerivedStack, AnyBox, AnyShared, Slots<PlainList>, Slots<PointerStack>,
        SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
        NodePool, NodeArena, Bump,
    );
}

/// The peers in binary trees.
pub fn twig_peers(visitor: &mut impl VisitTwigs) {
    visit!(
        visitor: Derived, DerivedStack, AnyBox, AnyShared, Slots<PlainList>, Slots<PointerStack>,
        SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
        TwigPool, TwigArena, Bump,
    );
}

/// typed-pool and the heaps in a generic map.
pub fn map_peers(visitor: &mut impl VisitMaps) {
    visit!(
        visitor: Derived, AnyBox, AnyShared,
        SystemBox, Slots<MiMalloc>, Slots<Jemalloc>, Slots<SnMalloc>,
    );
}
