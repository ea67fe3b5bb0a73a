//! The workloads of boxes as lanes.

use core::cell::RefCell;
use core::ops::Deref;
use std::rc::Rc;

use super::lanes;
use crate::contestant::Contestant;
use crate::contestants::roll::{self, Flat, VisitFlat, VisitNursery, VisitSwitched, VisitTwigs};
use crate::contestants::shared::{self, VisitShared};
use crate::objects::{Obj64, Payload};
use crate::points::Bodies;
use crate::race::{Lane, Turn};
use crate::workloads::binary_trees::{self, DEPTH, Twig};
use crate::workloads::burst::{Bursts, Order, Permutation};
use crate::workloads::churn::Crowd;
use crate::workloads::pair::run as run_pairs;
use crate::workloads::quadtree::{self, Node, Nursery, Switch, Switchable};
use crate::workloads::{Blind, Sum, at_place};

/// Pairs in a turn.
const PAIRS: u64 = 500_000;

/// Pairs that are checked after each turn, with the clock stopped.
const CHECKED_PAIRS: u64 = 1_000;

/// The least number of objects in a turn of bursts.
const BURST_OBJECTS: u64 = 400_000;

/// The least number of steps in a turn of churn.
const CHURN_STEPS: u32 = 400_000;

lanes! {
    /// W1.
    fn pairs[T: Flat]() by VisitFlat<T> [C: Contestant<T>] of roll::flat_peers::<T>, roll::flat_limits::<T>; |lanes| {
        let contestant = C::enter();
        lanes.push(Lane::new(C::NAME, move |round| {
            let cost = Turn::timed(PAIRS, || {
                at_place!(round, run_pairs::<PLACE, T, C>(contestant, PAIRS, &mut Blind));
            });
            let mut sum = Sum::default();
            run_pairs::<0, T, C>(contestant, CHECKED_PAIRS, &mut sum);
            Turn { cost, checksum: sum.0 }
        }));
    }

    /// W2 in pools of a thread.
    fn local_bursts(order: Permutation) by VisitFlat<Obj64> [C: Contestant<Obj64>] of roll::flat_peers; |lanes| {
        lanes.push(burst::<Obj64, C>(order));
    }

    /// W2 in pools that threads share.
    fn shared_bursts(order: Permutation) by VisitShared [T: Payload, C: Contestant<T, Object: Send> + Send + Sync]
    of shared::shared_heaps; |lanes| {
        lanes.push(burst::<T, C>(order));
    }

    /// W3.
    fn churns(count: u32) by VisitFlat<Obj64> [C: Contestant<Obj64>] of roll::flat_peers; |lanes| {
        // An arena that frees nothing would grow without end.
        if !C::FREES {
            return;
        }
        let contestant = C::enter();
        let steps = u64::from(count.max(CHURN_STEPS));
        lanes.push(Lane::new(C::NAME, move |round| {
            let mut crowd = Crowd::<Obj64, C>::gather(contestant, count);
            // Age it: a fresh crowd lies in order.
            crowd.churn::<0>(steps);
            let cost = Turn::timed(steps, || at_place!(round, crowd.churn::<PLACE>(steps)));
            Turn { cost, checksum: crowd.census() }
        }));
    }

    /// W5, with one copy of the tree for all contestants.
    fn frames_of(bodies: Rc<RefCell<Bodies>>) by VisitSwitched [C: Switchable] of roll::switched_peers; |lanes| {
        let contestant: &'static C = Box::leak(Box::new(C::enter()));
        // SAFETY: a frame drops its tree before the next one connects its contestant.
        lanes.push(frame(C::NAME, bodies, move || unsafe { Switch::connect(contestant) }));
    }

    /// W5, with a copy for each.
    fn own_frames_of(bodies: Rc<RefCell<Bodies>>) by VisitNursery [C: Nursery + Contestant<Node<C>>]
    of roll::nursery_peers; |lanes| {
        let contestant = C::enter();
        lanes.push(frame(C::NAME, bodies, move || contestant));
    }

    /// W8.
    fn trees() by VisitTwigs [C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>] of roll::twig_peers; |lanes| {
        let contestant = C::enter();
        lanes.push(Lane::new(C::NAME, move |_| {
            let mut checksum = 0;
            let nodes = binary_trees::nodes(DEPTH);
            let cost = Turn::timed(nodes, || checksum = binary_trees::tree(contestant, DEPTH));
            Turn { cost, checksum }
        }));
    }
}

pub(in crate::race) fn bursts(count: u32, order: Order) -> Vec<Lane> {
    local_bursts(order.of(count))
}

pub(in crate::race) fn static_bursts(count: u32, order: Order) -> Vec<Lane> {
    shared_bursts(order.of(count))
}

pub(in crate::race) fn frames() -> Vec<Lane> {
    frames_of(Rc::new(RefCell::new(Bodies::load())))
}

pub(in crate::race) fn own_frames() -> Vec<Lane> {
    own_frames_of(Rc::new(RefCell::new(Bodies::load())))
}

fn burst<T: Payload, C: Contestant<T>>(order: Permutation) -> Lane {
    let count = order.len() as u64;
    let repeats = (BURST_OBJECTS / count).max(2);
    let mut bursts = Bursts::<T, C>::new(order);
    Lane::new(C::NAME, move |round| {
        let cost = Turn::timed(repeats * count, || {
            at_place!(round, bursts.run::<PLACE>(repeats, &mut Blind));
        });
        let mut sum = Sum::default();
        bursts.run::<0>(1, &mut sum);
        Turn { cost, checksum: sum.0 }
    })
}

/// Runs a frame each round, in which all contestants see the bodies at the same places.
fn frame<N: Nursery>(
    name: &'static str,
    bodies: Rc<RefCell<Bodies>>,
    mut nursery: impl FnMut() -> N + 'static,
) -> Lane {
    Lane::new(name, move |round| {
        bodies.borrow_mut().advance_to(round);
        let bodies = bodies.borrow();
        let mut checksum = 0;
        let nursery = nursery();
        let cost = Turn::timed(1, || checksum = quadtree::frame(nursery, bodies.places()));
        Turn { cost, checksum }
    })
}
