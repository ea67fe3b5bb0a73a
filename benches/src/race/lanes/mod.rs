//! The workloads as lanes: how often each runs in a turn, and how it is checked.

pub(super) mod any;
pub(super) mod builds;
pub(super) mod first;
pub(super) mod stores;
pub(super) mod threads;
pub(super) mod unoptimised;

use core::cell::RefCell;
use core::ops::Deref;
use std::rc::Rc;

use super::{Lane, Turn};
use crate::contestant::Contestant;
use crate::contestants::roll::{Flat, VisitFlat, VisitNursery, VisitSwitched, VisitTwigs};
use crate::contestants::shared::VisitShared;
use crate::objects::Payload;
use crate::points::Bodies;
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

/// W1.
#[derive(Default)]
pub(super) struct Pairs(pub(super) Vec<Lane>);

impl<T: Flat> VisitFlat<T> for Pairs {
    fn visit<C: Contestant<T>>(&mut self) {
        let contestant = C::enter();
        self.0.push(Lane::new(C::NAME, move |round| {
            let nanos = Turn::timed(PAIRS, || {
                at_place!(round, run_pairs::<PLACE, T, C>(contestant, PAIRS, &mut Blind));
            });
            let mut sum = Sum::default();
            run_pairs::<0, T, C>(contestant, CHECKED_PAIRS, &mut sum);
            Turn { cost: nanos, checksum: sum.0 }
        }));
    }
}

/// W2.
pub(super) struct Burst {
    order: Permutation,
    pub(super) lanes: Vec<Lane>,
}

impl Burst {
    pub(super) fn of(count: u32, order: Order) -> Self {
        Self { order: order.of(count), lanes: Vec::new() }
    }
}

impl Burst {
    fn push<T: Payload, C: Contestant<T>>(&mut self) {
        let count = self.order.len() as u64;
        let repeats = (BURST_OBJECTS / count).max(2);
        let mut bursts = Bursts::<T, C>::new(self.order.clone());
        self.lanes.push(Lane::new(C::NAME, move |round| {
            let nanos = Turn::timed(repeats * count, || {
                at_place!(round, bursts.run::<PLACE>(repeats, &mut Blind));
            });
            let mut sum = Sum::default();
            bursts.run::<0>(1, &mut sum);
            Turn { cost: nanos, checksum: sum.0 }
        }));
    }
}

impl<T: Flat> VisitFlat<T> for Burst {
    fn visit<C: Contestant<T>>(&mut self) {
        self.push::<T, C>();
    }
}

impl VisitShared for Burst {
    fn visit<T: Payload, C: Contestant<T, Object: Send> + Send + Sync>(&mut self) {
        self.push::<T, C>();
    }
}

/// W3.
pub(super) struct Churn {
    count: u32,
    pub(super) lanes: Vec<Lane>,
}

impl Churn {
    pub(super) fn of(count: u32) -> Self {
        Self { count, lanes: Vec::new() }
    }
}

impl<T: Flat> VisitFlat<T> for Churn {
    fn visit<C: Contestant<T>>(&mut self) {
        // An arena that frees nothing would grow without end.
        if !C::FREES {
            return;
        }
        let contestant = C::enter();
        let count = self.count;
        let steps = u64::from(count.max(CHURN_STEPS));
        self.lanes.push(Lane::new(C::NAME, move |round| {
            let mut crowd = Crowd::<T, C>::gather(contestant, count);
            // Age it: a fresh crowd lies in order.
            crowd.churn::<0>(steps);
            let nanos = Turn::timed(steps, || at_place!(round, crowd.churn::<PLACE>(steps)));
            Turn { cost: nanos, checksum: crowd.census() }
        }));
    }
}

/// W5, with one copy of the tree for all contestants or with one for each.
pub(super) struct Frames {
    bodies: Rc<RefCell<Bodies>>,
    pub(super) lanes: Vec<Lane>,
}

impl Frames {
    pub(super) fn new() -> Self {
        Self { bodies: Rc::new(RefCell::new(Bodies::load())), lanes: Vec::new() }
    }

    /// A lane that runs a frame each round, in which all contestants see the bodies at the same places.
    fn push<N: Nursery>(&mut self, name: &'static str, mut nursery: impl FnMut() -> N + 'static) {
        let bodies = Rc::clone(&self.bodies);
        self.lanes.push(Lane::new(name, move |round| {
            bodies.borrow_mut().advance_to(round);
            let bodies = bodies.borrow();
            let mut checksum = 0;
            let nursery = nursery();
            let nanos = Turn::timed(1, || checksum = quadtree::frame(nursery, bodies.places()));
            Turn { cost: nanos, checksum }
        }));
    }
}

impl VisitSwitched for Frames {
    fn visit<C: Switchable>(&mut self) {
        let contestant: &'static C = Box::leak(Box::new(C::enter()));
        // SAFETY: a frame drops its tree before the next one connects its contestant.
        self.push(C::NAME, move || unsafe { Switch::connect(contestant) });
    }
}

impl VisitNursery for Frames {
    fn visit<C: Nursery + Contestant<Node<C>>>(&mut self) {
        let contestant = C::enter();
        self.push(C::NAME, move || contestant);
    }
}

/// W8.
#[derive(Default)]
pub(super) struct Trees(pub(super) Vec<Lane>);

impl VisitTwigs for Trees {
    fn visit<C: Contestant<Twig<C>, Object: Deref<Target = Twig<C>>>>(&mut self) {
        let contestant = C::enter();
        self.0.push(Lane::new(C::NAME, move |_| {
            let mut checksum = 0;
            let nodes = binary_trees::nodes(DEPTH);
            let nanos = Turn::timed(nodes, || checksum = binary_trees::tree(contestant, DEPTH));
            Turn { cost: nanos, checksum }
        }));
    }
}
