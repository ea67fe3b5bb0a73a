//! Trait objects and generic containers as lanes.

use core::hint::black_box;
use std::rc::Rc;

use super::lanes;
use crate::contestants::objects::{Heap, OneSlot, VisitDynamic, dynamic_peers};
use crate::contestants::roll::{VisitMaps, map_peers};
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

lanes! {
    /// W10, one object after the other.
    fn objects() by VisitDynamic [C: Dynamic] of dynamic_peers, VisitDynamic::visit::<Heap<OneSlot>>; |lanes| {
        let contestant = C::enter();
        lanes.push(Lane::new(C::NAME, move |round| {
            let mut checksum = 0;
            let cost = Turn::timed(PAIRS, || {
                checksum = at_place!(round, pairs::<PLACE, C>(contestant, PAIRS));
            });
            Turn { cost, checksum }
        }));
    }

    /// W10, a vector of all types.
    fn vectors(kinds: Rc<[u32]>) by VisitDynamic [C: Dynamic] of dynamic_peers; |lanes| {
        let contestant = C::enter();
        let mut objects = Vec::with_capacity(kinds.len());
        lanes.push(Lane::new(C::NAME, move |round| {
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

    /// W11, maps that are filled and dropped.
    fn fills() by VisitMaps [C: Boxes<Node<u64, u64, C>>] of map_peers; |lanes| {
        let contestant = C::enter();
        lanes.push(Lane::new(C::NAME, move |_| {
            let cost = Turn::timed(MAPS * KEYS, || {
                for _ in 0..MAPS {
                    drop(black_box(map::fill(contestant, KEYS)));
                }
            });
            let mut map = map::fill(contestant, KEYS);
            Turn { cost, checksum: map::churn(&mut map, 0, KEYS, KEYS / 2) }
        }));
    }

    /// W11, a map in which keys come and go.
    fn map_churns() by VisitMaps [C: Boxes<Node<u64, u64, C>>] of map_peers; |lanes| {
        let mut map = map::fill(C::enter(), KEYS);
        let mut first = 0;
        lanes.push(Lane::new(C::NAME, move |_| {
            let mut checksum = 0;
            let cost = Turn::timed(STEPS, || checksum = map::churn(&mut map, first, KEYS, STEPS));
            first += STEPS;
            Turn { cost, checksum }
        }));
    }
}

pub(in crate::race) fn mixtures(kinds: fn(u32) -> Vec<u32>) -> Vec<Lane> {
    vectors(kinds(OBJECTS).into())
}
