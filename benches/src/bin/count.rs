//! A fixed amount of work, for a tool that counts instructions.
//!
//! ```sh
//! count pair-pool 20000
//! ```
//!
//! Two runs with different amounts differ by the work alone: start-up and growth cancel out.

use core::hint::black_box;
use std::env;

use typed_pool_benches::contestant::Contestant;
use typed_pool_benches::contestants::{
    AnyBox, AnyShared, Derived, DerivedFixed, DerivedMax, DerivedStack, DerivedStatic,
    DerivedStaticList, OneSlot, Slots, SystemBox,
};
use typed_pool_benches::limits::{PlainList, SharedMagazine};
use typed_pool_benches::objects::{Obj64, Payload};
use typed_pool_benches::workloads::binary_trees;
use typed_pool_benches::workloads::{Blind, Seats, pair};

/// Small enough that a few thousand of them are quick under a simulator.
const DEPTH: u32 = 4;

/// More than an amount may be.
const SLOTS: usize = 1 << 16;

fn main() {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [workload, count] = arguments.as_slice() else {
        panic!("which workload, and how many?");
    };
    let count = count.parse().expect("a number");
    match workload.as_str() {
        "pair-pool" => pairs::<Obj64, Derived>(count),
        "pair-stack" => pairs::<Obj64, DerivedStack>(count),
        "pair-limit" => pairs::<Obj64, Slots<PlainList>>(count),
        "pair-box" => pairs::<Obj64, SystemBox>(count),
        "pair-static" => pairs::<Obj64, DerivedStatic>(count),
        "pair-static-list" => pairs::<Obj64, DerivedStaticList>(count),
        "pair-static-capacity" => pairs::<Obj64, DerivedFixed>(count),
        "pair-static-max" => pairs::<Obj64, DerivedMax>(count),
        "pair-static-limit" => pairs::<Obj64, Slots<SharedMagazine>>(count),
        "pair-any" => pairs::<Obj64, AnyBox>(count),
        "pair-any-shared" => pairs::<Obj64, AnyShared>(count),
        "alloc-pool" => allocs::<Obj64, Derived>(count),
        "alloc-stack" => allocs::<Obj64, DerivedStack>(count),
        "alloc-static" => allocs::<Obj64, DerivedStatic>(count),
        "free-pool" => frees::<Obj64, Derived>(count),
        "free-stack" => frees::<Obj64, DerivedStack>(count),
        "free-static" => frees::<Obj64, DerivedStatic>(count),
        "empty-loop" => pairs::<Obj64, Slots<OneSlot>>(count),
        "node-tree" => trees(count),
        "roster-insert" => rosters::insert(count),
        "roster-get" => rosters::get(count),
        "roster-get-in-loop" => rosters::get_in_loop(count),
        "roster-remove" => rosters::remove(count),
        "roster-iterate" => rosters::iterate(count, 1),
        "roster-iterate-half" => rosters::iterate(count, 2),
        other => panic!("unknown workload: {other}"),
    }
}

/// One operation of a roster of 64-byte elements, this many times. The preparation is the same for every
/// number, so it does not count.
mod rosters {
    use core::hint::black_box;

    use typed_pool::{Handle, Roster};
    use typed_pool_benches::objects::{Obj64, Payload};

    const SLOTS: u32 = super::SLOTS as u32;

    /// Elements that are found or iterated over: a divisor of the amounts.
    const CROWD: u32 = 1000;

    fn filled(count: u32) -> (Roster<Obj64>, Vec<Handle<Obj64>>) {
        let mut roster = Roster::with_capacity(count as usize);
        let handles = (0..count).map(|seed| roster.insert(Obj64::written(seed.into()))).collect();
        (roster, handles)
    }

    #[inline(never)]
    pub(super) fn insert(count: u64) {
        let mut roster = Roster::with_capacity(SLOTS as usize);
        for seed in 0..count {
            roster.insert(Obj64::written(seed));
        }
        assert_eq!(roster.len() as u64, count);
    }

    #[inline(never)]
    pub(super) fn get(count: u64) {
        let (roster, handles) = filled(CROWD);
        let mut sum = 0;
        for _ in 0..count / u64::from(CROWD) {
            for &handle in &handles {
                sum += black_box(&roster).get(handle).map_or(0, Obj64::first);
            }
        }
        black_box(sum);
    }

    /// The compiler may keep what it knows of the roster from one look-up to the next.
    #[inline(never)]
    pub(super) fn get_in_loop(count: u64) {
        let (roster, handles) = filled(CROWD);
        let mut sum = 0;
        for _ in 0..count / u64::from(CROWD) {
            let roster = black_box(&roster);
            let first = |&handle: &Handle<Obj64>| roster.get(handle).map_or(0, Obj64::first);
            sum += handles.iter().map(first).sum::<u64>();
        }
        black_box(sum);
    }

    #[inline(never)]
    pub(super) fn remove(count: u64) {
        let (mut roster, handles) = filled(SLOTS);
        for step in 0..count {
            // Scattered, and no two alike.
            let handle = handles[(step * 7919) as usize % SLOTS as usize];
            assert!(roster.remove(handle).is_some());
        }
    }

    /// One in `live` of the slots is live.
    #[inline(never)]
    pub(super) fn iterate(count: u64, live: u32) {
        let (mut roster, _) = filled(CROWD * live);
        roster.retain(|handle, _| handle.index() % live as usize == 0);
        let sum = |sum: u64, value: &Obj64| sum.wrapping_add(value.first());
        for _ in 0..count / u64::from(CROWD) {
            black_box(black_box(&roster).values().fold(0, sum));
        }
    }
}

/// This many pairs of alloc and free, 64 bytes.
fn pairs<T: Payload, C: Contestant<T>>(count: u64) {
    pair::run::<0, _, _>(C::enter(), count, &mut Blind);
}

/// This many objects, for which there is room.
#[inline(never)]
fn allocs<T: Payload, C: Contestant<T>>(count: u64) {
    let contestant = C::enter();
    contestant.reserve(SLOTS);
    let mut seats = Seats::empty(SLOTS);
    let mut row = seats.row();
    for number in 0..count {
        let object = contestant.alloc(|| T::written(number));
        // SAFETY: there are more places than objects.
        unsafe { row.seat(number as usize, object) };
    }
    black_box(seats);
}

/// Frees this many objects, the oldest first.
#[inline(never)]
fn frees<T: Payload, C: Contestant<T>>(count: u64) {
    let contestant = C::enter();
    let mut seats = Seats::empty(SLOTS);
    let mut row = seats.row();
    row.fill(|number| contestant.alloc(|| T::written(number as u64)));
    for place in 0..count as usize {
        // SAFETY: there are more places than objects to be freed, and all are taken.
        contestant.free(unsafe { row.leave(place) });
    }
}

/// Binary trees with this many nodes in all, rounded down to whole trees.
#[inline(never)]
fn trees(nodes: u64) {
    let trees = nodes / binary_trees::nodes(DEPTH);
    let heights: u64 = (0..trees).map(|_| binary_trees::tree(Derived, DEPTH)).sum();
    assert!(heights > 0, "not one whole tree");
}
