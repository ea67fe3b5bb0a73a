//! Boxes, trait objects among them, and generic containers.

use core::cell::RefCell;
use core::ops::Deref;
use std::rc::Rc;

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

use super::Table;
use crate::contestant::{Contestant, Dynamic};
use crate::contestants::{
    AnyBox, Bump, Derived, DerivedStack, DerivedStatic, DerivedStaticList, Multi, OneSlot,
    SharedPool, Slabs, Slots, SystemBox,
};
use crate::limits::{PlainList, PointerStack};
use crate::objects::{Obj16, Obj64, Obj256, Obj1024, Payload};
use crate::points::Bodies;
use crate::race::{Lane, Turn, Unit};
use crate::workloads::binary_trees::{self, DEPTH, Twig};
use crate::workloads::burst::{Bursts, Order, Permutation};
use crate::workloads::churn::Crowd;
use crate::workloads::pair::run as run_pairs;
use crate::workloads::quadtree::{self, Nursery, Switchable};
use crate::workloads::shapes::{self, mixed, pairs as object_pairs};
use crate::workloads::{Blind, Sum, at_place};

/// Pairs in a turn.
const PAIRS: u64 = 500_000;

/// Pairs that are checked after each turn, with the clock stopped.
const CHECKED_PAIRS: u64 = 1_000;

/// The least number of objects in a turn of bursts.
const BURST_OBJECTS: u64 = 400_000;

/// The least number of steps in a turn of churn.
const CHURN_STEPS: u32 = 400_000;

/// Trait objects in a vector, and vectors in a turn.
const OBJECTS: u32 = 10_000;
const VECTORS: u64 = 20;

/// The lanes of flat objects, and of some contestants more.
macro_rules! boxes {
    ($lane:ident[$T:ty] $arguments:tt $(, $More:ty)*) => {
        lanes!(
            $lane[$T] $arguments: Derived, DerivedStack, AnyBox, Slots<PlainList>, Slots<PointerStack>, SystemBox, Slots<MiMalloc>,
            Slots<Jemalloc>, Slabs<_>, SharedPool<_>, Multi $(, $More)*
        )
    };
}

pub(super) use boxes;

fn pairs<T: Payload, C: Contestant<T>>() -> Lane {
    let contestant = C::enter();
    Lane::new(C::NAME, move |round| {
        let cost = Turn::timed(PAIRS, || {
            at_place!(round, run_pairs::<PLACE, T, C>(contestant, PAIRS, &mut Blind));
        });
        let mut sum = Sum::default();
        run_pairs::<0, T, C>(contestant, CHECKED_PAIRS, &mut sum);
        Turn { cost, checksum: sum.0 }
    })
}

pub(super) fn burst<T: Payload, C: Contestant<T>>(order: &Permutation) -> Lane {
    let count = order.len() as u64;
    let repeats = (BURST_OBJECTS / count).max(2);
    let mut bursts = Bursts::<T, C>::new(C::enter(), order.clone());
    Lane::new(C::NAME, move |round| {
        let cost = Turn::timed(repeats * count, || {
            at_place!(round, bursts.run::<PLACE>(repeats, &mut Blind));
        });
        let mut sum = Sum::default();
        bursts.run::<0>(1, &mut sum);
        Turn { cost, checksum: sum.0 }
    })
}

fn churn<T: Payload, C: Contestant<T>>(count: u32) -> Lane {
    let contestant = C::enter();
    let steps = u64::from(count.max(CHURN_STEPS));
    Lane::new(C::NAME, move |round| {
        let mut crowd = Crowd::<T, C>::gather(contestant, count);
        // Age it: a fresh crowd lies in order.
        crowd.churn::<0>(steps);
        let cost = Turn::timed(steps, || at_place!(round, crowd.churn::<PLACE>(steps)));
        Turn { cost, checksum: crowd.census() }
    })
}

/// A frame each round, in which all contestants see the bodies at the same places.
fn frame<C: Switchable>(bodies: Rc<RefCell<Bodies>>) -> Lane {
    let contestant: &'static C = Box::leak(Box::new(C::enter()));
    Lane::new(C::NAME, move |round| {
        bodies.borrow_mut().advance_to(round);
        let bodies = bodies.borrow();
        // SAFETY: a frame drops its tree before the next one connects its contestant, and keeps it on this thread.
        let nursery = unsafe { Nursery::connect(contestant) };
        let mut checksum = 0;
        let cost = Turn::timed(1, || checksum = quadtree::frame(nursery, bodies.places()));
        Turn { cost, checksum }
    })
}

fn trees<C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>>() -> Lane {
    let contestant = C::enter();
    Lane::new(C::NAME, move |_| {
        let mut checksum = 0;
        let nodes = binary_trees::nodes(DEPTH);
        let cost = Turn::timed(nodes, || checksum = binary_trees::tree(contestant, DEPTH));
        Turn { cost, checksum }
    })
}

fn objects<C: Dynamic>() -> Lane {
    let contestant = C::enter();
    Lane::new(C::NAME, move |round| {
        let mut checksum = 0;
        let cost = Turn::timed(PAIRS, || {
            checksum = at_place!(round, object_pairs::<PLACE, C>(contestant, PAIRS));
        });
        Turn { cost, checksum }
    })
}

fn vectors<C: Dynamic>(kinds: Rc<[u32]>) -> Lane {
    let contestant = C::enter();
    let mut objects = Vec::with_capacity(kinds.len());
    Lane::new(C::NAME, move |round| {
        let mut checksum = 0_u64;
        let cost = Turn::timed(VECTORS * u64::from(OBJECTS), || {
            for _ in 0..VECTORS {
                let sum = at_place!(round, mixed::<PLACE, C>(contestant, &kinds, &mut objects));
                checksum = checksum.wrapping_add(sum);
            }
        });
        Turn { cost, checksum }
    })
}

fn mixtures(kinds: Vec<u32>) -> Vec<Lane> {
    let kinds: Rc<[u32]> = kinds.into();
    lanes!(
        vectors[] (Rc::clone(&kinds)): Derived, AnyBox, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>, Slots<SnMalloc>, Multi,
    )
}

pub(super) fn tables() -> Vec<Table> {
    let pair = "alloc, write all fields, free";
    let mut tables = vec![
        Table::new("w1/16", pair, || boxes!(pairs[Obj16](), Bump)),
        Table::new("w1/64", pair, || boxes!(pairs[Obj64](), Bump)),
        Table::new("w1/256", pair, || boxes!(pairs[Obj256](), Bump)),
        Table::new("w1/1024", pair, || boxes!(pairs[Obj1024](), Bump)),
    ];
    for (count, order) in [
        (1_000, Order::Same),
        (1_000, Order::Reverse),
        (1_000, Order::Shuffled),
        (100_000, Order::Same),
        (100_000, Order::Shuffled),
    ] {
        let what = "64-byte objects, allocated and then freed";
        tables.push(Table::new(format!("w2/{count}-{}", order.name()), what, move || {
            let order = order.of(count);
            boxes!(burst[Obj64](&order), Bump)
        }));
    }
    for count in [10_000, 1_000_000] {
        let what = "a random death and a birth, 64 bytes";
        tables.push(Table::new(format!("w3/{count}"), what, move || boxes!(churn[Obj64](count))));
    }
    tables.extend([
        Table::new("w5/frame", "quad-tree frame: build, query, drop", || {
            let bodies = Rc::new(RefCell::new(Bodies::load()));
            lanes!(
                frame[] (Rc::clone(&bodies)): Derived, DerivedStack, AnyBox, DerivedStatic, DerivedStaticList, Slots<PlainList>,
                Slots<PointerStack>, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>, SharedPool<_>, Multi, Bump,
            )
        })
        .unit(Unit::Micros)
        .rounds(10.0),
        Table::new("w8/trees", "binary trees of depth 16, each node built and dropped", || {
            lanes!(
                trees[] (): Derived, DerivedStack, AnyBox, Slots<PlainList>, Slots<PointerStack>, SystemBox, Slots<MiMalloc>,
                Slots<Jemalloc>, Multi, Bump,
            )
        }),
        Table::new("w10/pair", "a trait object of 24 bytes: allocated, called, freed", || {
            lanes!(
                objects[] (): Derived, AnyBox, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>, Slots<SnMalloc>, Multi, Slots<OneSlot>,
            )
        }),
        Table::new(
            "w10/mixed",
            "10,000 trait objects of ten types in turn, 8 to 192 bytes: built, called, dropped, each",
            || mixtures(shapes::in_turn(OBJECTS)),
        ),
        Table::new(
            "w10/random",
            "10,000 trait objects of ten types at random: built, called, dropped, each",
            || mixtures(shapes::at_random(OBJECTS)),
        ),
    ]);
    tables
}
