//! The tables of two threads.

use super::{JEMALLOC, Table, Unit};
use crate::contestants::shared::shared_peers;
use crate::race::lanes::threads::Threads;
use crate::race::{Lane, Rival, Target};
use crate::workloads::threads::Which;

const MAGAZINE: Target = Target::ours(1.15, Rival::Named("limit: shared magazine of 256"));
const PAIR: &[Target] = &[Target::ours(0.70, JEMALLOC), MAGAZINE];
const BURST: &[Target] = &[Target::ours(0.50, Rival::BestPeer), MAGAZINE];
const HAND_OFF: &[Target] = &[Target::ours(0.50, Rival::BestPeer), MAGAZINE];
const HAND_OFF_READ: &[Target] = &[Target::ours(1.00, Rival::FasterOf("snmalloc", "opool"))];
const LARSON: &[Target] = &[Target::ours(0.85, Rival::BestPeer), MAGAZINE];

pub(super) fn tables() -> Vec<Table> {
    let pair = "two threads: alloc, write all fields, free; 64 bytes";
    let burst = "two threads: 1,000 of 64 bytes allocated and then freed in the same order";
    let hand_off = "two threads: one allocates 64 bytes, the other frees them unread";
    let read = "two threads: one allocates 64 bytes, the other reads and frees them";
    let larson = "two threads: a random death and a birth, 64 bytes; crowds are swapped";
    vec![
        table("w7/own-pair", pair, || lanes(Which::OwnPair), PAIR),
        table("w7/own-burst", burst, || lanes(Which::OwnBurst), BURST),
        table("w7/hand-off", hand_off, || lanes(Which::HandOff), HAND_OFF),
        table("w7/hand-off-read", read, || lanes(Which::HandOffRead), HAND_OFF_READ),
        table("w7/larson", larson, || lanes(Which::Larson), LARSON),
    ]
}

/// Turns are short, and two threads are disturbed twice as often as one.
const fn table(
    name: &'static str,
    what: &'static str,
    lanes: fn() -> Vec<Lane>,
    targets: &'static [Target],
) -> Table {
    Table { name, what, unit: Unit::Nanos, rounds: 3.0, lanes, targets }
}

fn lanes(which: Which) -> Vec<Lane> {
    let mut threads = Threads::of(which);
    shared_peers(&mut threads);
    threads.lanes
}
