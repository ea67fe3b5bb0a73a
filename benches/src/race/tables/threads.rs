//! The tables of two threads.

use super::{JEMALLOC, Table, nanos};
use crate::race::lanes::sessions::{What, sessions};
use crate::race::lanes::threads::threads;
use crate::race::{Lane, Rival, Target};
use crate::workloads::threads::Which;

const MAGAZINE: Target = Target::ours(1.15, Rival::Named("limit: shared magazine of 256"));
const PAIR: &[Target] = &[Target::ours(0.70, JEMALLOC), MAGAZINE];
const BURST: &[Target] = &[Target::ours(0.50, Rival::BestPeer), MAGAZINE];
const HAND_OFF: &[Target] = &[Target::ours(0.50, Rival::BestPeer), MAGAZINE];
const HAND_OFF_READ: &[Target] = &[Target::ours(1.00, Rival::FasterOf("snmalloc", "opool"))];
const LARSON: &[Target] = &[Target::ours(0.85, Rival::BestPeer), MAGAZINE];

const ONE: &[Target] = &[Target::ours(0.50, Rival::BestPeer)];
const TWO: &[Target] = &[Target::ours(0.30, Rival::BestPeer)];
const CHURN: &[Target] = &[Target::ours(1.00, Rival::Named("Mutex<SlotMap>"))];

pub(super) fn tables() -> Vec<Table> {
    let pair = "two threads: alloc, write all fields, free; 64 bytes";
    let burst = "two threads: 1,000 of 64 bytes allocated and then freed in the same order";
    let hand_off = "two threads: one allocates 64 bytes, the other frees them unread";
    let read = "two threads: one allocates 64 bytes, the other reads and frees them";
    let larson = "two threads: a random death and a birth, 64 bytes; crowds are swapped";
    let one = "a static roster: a look-up among 10,000";
    let two = "a static roster: look-ups among 10,000, two threads at once";
    let churn = "a static roster: a death and a birth among 10,000, two threads at once";
    vec![
        table("w7/own-pair", pair, || threads(Which::OwnPair), PAIR),
        table("w7/own-burst", burst, || threads(Which::OwnBurst), BURST),
        table("w7/hand-off", hand_off, || threads(Which::HandOff), HAND_OFF),
        table("w7/hand-off-read", read, || threads(Which::HandOffRead), HAND_OFF_READ),
        table("w7/larson", larson, || threads(Which::Larson), LARSON),
        table("w12/one", one, || sessions(What::One), ONE),
        table("w12/two", two, || sessions(What::Two), TWO),
        table("w12/churn", churn, || sessions(What::Churn), CHURN),
    ]
}

/// Turns are short, and two threads are disturbed twice as often as one.
const fn table(
    name: &'static str,
    what: &'static str,
    lanes: fn() -> Vec<Lane>,
    targets: &'static [Target],
) -> Table {
    Table { rounds: 3.0, ..nanos(name, what, lanes, targets) }
}
