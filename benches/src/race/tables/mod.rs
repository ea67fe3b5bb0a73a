//! All tables, and what was asked of each.

mod any;
mod house;
mod stores;
mod threads;

use serde::{Deserialize, Serialize};

use super::lanes::boxes::{bursts, churns, frames, own_frames, pairs, static_bursts, trees};
use super::{Lane, OURS, Outcome, Rival, Target, Verdict};
use crate::objects::{Obj16, Obj64, Obj256, Obj1024};
use crate::workloads::burst::Order;

/// The unit of a table's values.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// Nanoseconds for each operation.
    Nanos,
    /// Microseconds for each frame.
    Micros,
    /// Seconds.
    Seconds,
    /// Bytes for each object.
    Bytes,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Nanos, Self::Micros, Self::Seconds, Self::Bytes];

    /// In a table's head.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nanos => "ns",
            Self::Micros => "us",
            Self::Seconds => "s",
            Self::Bytes => "bytes",
        }
    }

    /// In what turns are measured: nanoseconds or bytes.
    pub(super) const fn base(self) -> f64 {
        match self {
            Self::Nanos | Self::Bytes => 1.0,
            Self::Micros => 1e3,
            Self::Seconds => 1e9,
        }
    }
}

/// One race.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The workload, a slash, and which of its sizes.
    pub name: &'static str,
    /// In a few words.
    pub what: &'static str,
    /// The unit of its times.
    pub unit: Unit,
    /// How many rounds make up for one: short turns take more of them, long ones fewer.
    pub rounds: f64,
    /// The contestants.
    pub lanes: fn() -> Vec<Lane>,
    /// The targets that it is judged by.
    pub targets: &'static [Target],
}

impl Table {
    /// How an outcome of it meets what was asked.
    pub fn verdicts(&self, outcome: &Outcome) -> impl Iterator<Item = Verdict> {
        self.targets.iter().filter_map(move |target| target.judge(outcome))
    }
}

const BEST_LIST: Rival = Rival::FasterOf("limit: plain list", "limit: plain list, address held");
const STACK: Rival = Rival::Named("limit: pointer stack");
const JEMALLOC: Rival = Rival::Named("jemalloc");
const SYSTEM: Rival = Rival::Named("Box (system)");
const MIMALLOC: Rival = Rival::Named("mimalloc");
const SLAB: Rival = Rival::Named("slab (keys)");
const ARENA: Rival = Rival::FasterOf("shared_arena Pool", "shared_arena Arena");
const OWN: Rival = Rival::Named(OURS);
const BUMP: Rival = Rival::Named("bumpalo (frees nothing)");

/// The share of the derived pool's time that a pool by layout may take.
const BY_LAYOUT: Target = Target::of("typed-pool, any::Box", 1.15, OWN);

const PAIR: &[Target] = &[
    Target::ours(1.15, BEST_LIST),
    Target::ours(0.55, JEMALLOC),
    Target::ours(0.80, SLAB),
    BY_LAYOUT,
];
const PAIR_1024: &[Target] =
    &[Target::ours(0.75, Rival::BestPeer), Target::ours(1.10, BEST_LIST), BY_LAYOUT];
const BURST: &[Target] =
    &[Target::ours(0.70, Rival::BestPeer), Target::ours(0.75, SLAB), Target::ours(1.20, STACK)];
const SHUFFLED: &[Target] = &[Target::ours(0.70, Rival::BestPeer), Target::ours(1.20, STACK)];
const LARGE_BURST: &[Target] =
    &[Target::ours(0.75, Rival::BestPeer), Target::ours(0.75, SLAB), Target::ours(1.20, STACK)];
const STATIC_SHUFFLED: &[Target] =
    &[Target::ours(0.50, JEMALLOC), Target::of("typed-pool, free_list", 0.50, JEMALLOC)];
const LARGE_SHUFFLED: &[Target] = &[Target::ours(0.80, Rival::BestPeer)];
const CROWD: &[Target] = &[Target::ours(0.65, JEMALLOC)];
const LARGE_CROWD: &[Target] = &[Target::ours(1.00, JEMALLOC)];
const FRAME: &[Target] = &[
    Target::ours(0.95, ARENA),
    Target::ours(1.00, BUMP),
    Target::of("typed-pool, static", 1.10, OWN),
    Target::of("typed-pool, static free_list", 1.10, OWN),
];
const OWN_FRAME: &[Target] = &[Target::ours(0.95, ARENA), Target::ours(1.00, BUMP)];
const TREES: &[Target] = &[
    Target::ours(0.75, MIMALLOC),
    Target::ours(1.20, Rival::FasterOf("limit: plain list", "limit: pointer stack")),
];

/// The tables in the order of the targets' list.
#[must_use]
pub fn all() -> Vec<Table> {
    let mut tables = boxes();
    tables.extend(stores::tables());
    tables.extend(threads::tables());
    tables.extend(any::tables());
    tables.extend(house::tables());
    tables
}

/// The tables of boxes.
fn boxes() -> Vec<Table> {
    let pair = "alloc, write all fields, free";
    let burst = "64-byte objects, allocated and then freed";
    let one_thread =
        "64-byte objects that any thread may free, allocated and then freed by one thread";
    let churn = "a random death and a birth, 64 bytes";
    let frame = "quad-tree frame: build, query, drop; one copy of the tree";
    let own_frame = "quad-tree frame, a tree compiled for each";
    let twigs = "binary trees of depth 16, each node built and dropped";
    vec![
        nanos("w1/16", pair, pairs::<Obj16>, PAIR),
        nanos("w1/64", pair, pairs::<Obj64>, PAIR),
        nanos("w1/256", pair, pairs::<Obj256>, PAIR),
        nanos("w1/1024", pair, pairs::<Obj1024>, PAIR_1024),
        nanos("w2/1000-same", burst, || bursts(1_000, Order::Same), BURST),
        nanos("w2/1000-reverse", burst, || bursts(1_000, Order::Reverse), BURST),
        nanos("w2/1000-shuffled", burst, || bursts(1_000, Order::Shuffled), SHUFFLED),
        nanos("w2/100000-same", burst, || bursts(100_000, Order::Same), LARGE_BURST),
        nanos("w2/100000-reverse", burst, || bursts(100_000, Order::Reverse), LARGE_BURST),
        nanos("w2/100000-shuffled", burst, || bursts(100_000, Order::Shuffled), LARGE_SHUFFLED),
        nanos("w2-static/1000-same", one_thread, || static_bursts(1_000, Order::Same), &[]),
        nanos("w2-static/1000-shuffled", one_thread, || static_bursts(1_000, Order::Shuffled), &[]),
        nanos("w2-static/100000-same", one_thread, || static_bursts(100_000, Order::Same), &[]),
        nanos(
            "w2-static/100000-shuffled",
            one_thread,
            || static_bursts(100_000, Order::Shuffled),
            STATIC_SHUFFLED,
        ),
        nanos("w3/10000", churn, || churns(10_000), CROWD),
        nanos("w3/1000000", churn, || churns(1_000_000), LARGE_CROWD),
        micros("w5/frame", frame, frames, FRAME),
        micros("w5/own-tree", own_frame, own_frames, OWN_FRAME),
        nanos("w8/trees", twigs, trees, TREES),
    ]
}

const fn nanos(
    name: &'static str,
    what: &'static str,
    lanes: fn() -> Vec<Lane>,
    targets: &'static [Target],
) -> Table {
    Table { name, what, unit: Unit::Nanos, rounds: 1.0, lanes, targets }
}

/// Tables of frames. Their turns are short.
const fn micros(
    name: &'static str,
    what: &'static str,
    lanes: fn() -> Vec<Lane>,
    targets: &'static [Target],
) -> Table {
    Table { unit: Unit::Micros, rounds: 10.0, ..nanos(name, what, lanes, targets) }
}
