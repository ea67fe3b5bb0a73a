//! Trait objects and generic containers as lanes.

use core::hint::black_box;
use std::rc::Rc;

use crate::contestants::objects::VisitDynamic;
use crate::contestants::roll::VisitMaps;
use crate::race::{Lane, Turn};
use crate::workloads::at_place;
use crate::workloads::map::{self, Boxes, Node};
use crate::workloads::shapes::{Dynamic, mixed, pairs};

/// Pairs in a turn.
const PAIRS: u64 = 300_000;

/// Objects in a vector, and vectors in a turn.
const OBJECTS: u32 = 10_000;
const VECTORS: u64 = 20;

/// Keys in a map, maps in a turn, and steps of churn.
const KEYS: u64 = 10_000;
const MAPS: u64 = 5;
const STEPS: u64 = 50_000;

/// W10, one object after the other.
#[derive(Default)]
pub(in crate::race) struct Objects(pub(in crate::race) Vec<Lane>);

impl VisitDynamic for Objects {
    fn visit<C: Dynamic>(&mut self) {
        let contestant = C::enter();
        self.0.push(Lane::new(C::NAME, move |round| {
            let mut checksum = 0;
            let cost = Turn::timed(PAIRS, || {
                checksum = at_place!(round, pairs::<PLACE, C>(contestant, PAIRS));
            });
            Turn { cost, checksum }
        }));
    }
}

/// W10, a vector of all types.
pub(in crate::race) struct Mixtures {
    kinds: Rc<[u32]>,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Mixtures {
    pub(in crate::race) fn of(kinds: fn(u32) -> Vec<u32>) -> Self {
        Self { kinds: kinds(OBJECTS).into(), lanes: Vec::new() }
    }
}

impl VisitDynamic for Mixtures {
    fn visit<C: Dynamic>(&mut self) {
        let contestant = C::enter();
        let kinds = Rc::clone(&self.kinds);
        let mut objects = Vec::with_capacity(kinds.len());
        self.lanes.push(Lane::new(C::NAME, move |round| {
            let mut checksum = 0_u64;
            let cost = Turn::timed(VECTORS * u64::from(OBJECTS), || {
                for _ in 0..VECTORS {
                    let sum = at_place!(round, mixed::<PLACE, C>(contestant, &kinds, &mut objects));
                    checksum = checksum.wrapping_add(sum);
                }
            });
            Turn { cost, checksum }
        }));
    }
}

/// W11, maps that are filled and dropped.
#[derive(Default)]
pub(in crate::race) struct Fills(pub(in crate::race) Vec<Lane>);

impl VisitMaps for Fills {
    fn visit<C: Boxes<Node<u64, u64, C>>>(&mut self) {
        let contestant = C::enter();
        self.0.push(Lane::new(C::NAME, move |_| {
            let cost = Turn::timed(MAPS * KEYS, || {
                for _ in 0..MAPS {
                    drop(black_box(map::fill(contestant, KEYS)));
                }
            });
            let mut map = map::fill(contestant, KEYS);
            Turn { cost, checksum: map::churn(&mut map, 0, KEYS, KEYS / 2) }
        }));
    }
}

/// W11, a map in which keys come and go.
#[derive(Default)]
pub(in crate::race) struct MapChurns(pub(in crate::race) Vec<Lane>);

impl VisitMaps for MapChurns {
    fn visit<C: Boxes<Node<u64, u64, C>>>(&mut self) {
        let contestant = C::enter();
        let mut map = map::fill(contestant, KEYS);
        let mut first = 0;
        self.0.push(Lane::new(C::NAME, move |_| {
            let mut checksum = 0;
            let cost = Turn::timed(STEPS, || checksum = map::churn(&mut map, first, KEYS, STEPS));
            first += STEPS;
            Turn { cost, checksum }
        }));
    }
}
