//! The tables of what no derive can be written for: trait objects, and the nodes of a generic container.

use super::{MIMALLOC, Table, nanos};
use crate::race::lanes::any::{fills, map_churns, mixtures, objects};
use crate::race::{Rival, Target};
use crate::workloads::shapes;

const PLURALITY: Rival = Rival::FasterOf("plurality Pool", "plurality MultiPool");
const ANY: &str = "typed-pool, any::Box";

const OBJECT: &[Target] = &[
    Target::ours(0.40, PLURALITY),
    Target::ours(0.60, MIMALLOC),
    Target::of(ANY, 0.40, PLURALITY),
    Target::of(ANY, 0.60, MIMALLOC),
];

pub(super) fn tables() -> Vec<Table> {
    let pair = "a trait object of 24 bytes: allocated, called, freed";
    let mixed =
        "10,000 trait objects of ten types in turn, 8 to 192 bytes: built, called, dropped, each";
    let random = "the same at random";
    let fill = "a generic map of 10,000 keys filled and dropped, a key";
    let churn = "a generic map of 10,000 keys: one is removed, another inserted";
    vec![
        nanos("w10/pair", pair, objects, OBJECT),
        nanos("w10/mixed", mixed, || mixtures(shapes::in_turn), &[]),
        nanos("w10/random", random, || mixtures(shapes::at_random), &[]),
        nanos("w11/fill", fill, fills, &[]),
        nanos("w11/churn", churn, map_churns, &[]),
    ]
}
