//! The tables of containers: bullets, handles, iteration.

use super::{Table, nanos};
use crate::contestants::stores;
use crate::race::lanes::stores::{Frames, Handles, Iterations};
use crate::race::{Lane, Rival, Target};
use crate::workloads::handles::Phase;

const SLOT_MAP: Rival = Rival::Named("SlotMap");
const HOP: Rival = Rival::Named("HopSlotMap");
const DENSE: Rival = Rival::Named("DenseSlotMap");
const SLAB: Rival = Rival::Named("slab");
const BOXES: Target = Target::of(
    "Vec of typed-pool",
    1.00,
    Rival::FasterOf("Vec of Box (system)", "Vec of mimalloc"),
);

const BULLETS: &[Target] = &[Target::ours(1.10, Rival::BestPeer), BOXES];
const MANY_BULLETS: &[Target] = &[Target::ours(0.80, Rival::BestPeer), BOXES];
const INSERT: &[Target] = &[Target::ours(0.90, HOP)];
const MANY_INSERT: &[Target] = &[Target::ours(1.50, HOP)];
const REMOVE: &[Target] = &[Target::ours(1.05, SLOT_MAP)];
const MANY_REMOVE: &[Target] = &[Target::ours(1.05, SLOT_MAP), Target::ours(0.85, SLAB)];
const GET: &[Target] = &[Target::ours(1.00, SLOT_MAP)];
const STALE: &[Target] = &[Target::ours(0.85, DENSE)];
const TENTH: &[Target] = &[Target::ours(1.20, DENSE), Target::ours(0.10, SLAB)];
const HALF: &[Target] = &[Target::ours(1.60, DENSE)];
const FULL: &[Target] = &[Target::ours(1.10, DENSE)];

pub(super) fn tables() -> Vec<Table> {
    let frame = "bullet-hell frame: move all, drop the expired, fire as many; 64 bytes, per bullet";
    let insert = "insert where all was removed in shuffled order, 64 bytes";
    let remove = "remove in shuffled order, the value dropped unread, 64 bytes";
    let take = "remove in shuffled order, the value read, 64 bytes";
    let get = "get in shuffled order, 64 bytes";
    let stale = "get by stale handles, all slots taken again, 64 bytes";
    let index = "the index of a handle among the live";
    let iterate = "read the live values, 64 bytes";
    vec![
        nanos("w4/10000", frame, || bullets(10_000), BULLETS),
        nanos("w4/100000", frame, || bullets(100_000), MANY_BULLETS),
        nanos("w6/insert-10000", insert, || handles(10_000, Phase::Insert), INSERT),
        nanos("w6/insert-100000", insert, || handles(100_000, Phase::Insert), MANY_INSERT),
        nanos("w6/remove-10000", remove, || handles(10_000, Phase::Remove), REMOVE),
        nanos("w6/remove-100000", remove, || handles(100_000, Phase::Remove), MANY_REMOVE),
        nanos("w6/take-10000", take, || handles(10_000, Phase::Take), &[]),
        nanos("w6/take-100000", take, || handles(100_000, Phase::Take), &[]),
        nanos("w6/get-10000", get, || handles(10_000, Phase::Get), GET),
        nanos("w6/get-100000", get, || handles(100_000, Phase::Get), GET),
        nanos("w6/stale-10000", stale, || handles(10_000, Phase::GetStale), STALE),
        nanos("w6/stale-100000", stale, || handles(100_000, Phase::GetStale), STALE),
        nanos("w6e/100000-10%", iterate, || iteration(100_000, 10), TENTH),
        nanos("w6e/100000-50%", iterate, || iteration(100_000, 50), HALF),
        nanos("w6e/100000-100%", iterate, || iteration(100_000, 100), FULL),
        nanos("w6e/1000000-10%", iterate, || iteration(1_000_000, 10), &[]),
        nanos("w6e/1000000-50%", iterate, || iteration(1_000_000, 50), &[]),
        nanos("w6e/1000000-100%", iterate, || iteration(1_000_000, 100), &[]),
        design("w4-10000", frame, || design_bullets(10_000)),
        design("w4-100000", frame, || design_bullets(100_000)),
        design("insert-10000", insert, || design_handles(10_000, Phase::Insert)),
        design("insert-100000", insert, || design_handles(100_000, Phase::Insert)),
        design("remove-10000", remove, || design_handles(10_000, Phase::Remove)),
        design("remove-100000", remove, || design_handles(100_000, Phase::Remove)),
        design("take-10000", take, || design_handles(10_000, Phase::Take)),
        design("take-100000", take, || design_handles(100_000, Phase::Take)),
        design("get-10000", get, || design_handles(10_000, Phase::Get)),
        design("get-100000", get, || design_handles(100_000, Phase::Get)),
        design("stale-10000", stale, || design_handles(10_000, Phase::GetStale)),
        design("stale-100000", stale, || design_handles(100_000, Phase::GetStale)),
        design("index-10000", index, || design_handles(10_000, Phase::IndexOf)),
        design("index-100000", index, || design_handles(100_000, Phase::IndexOf)),
        design("iterate-1000-50%", iterate, || design_iteration(1_000, 50)),
        design("iterate-10000-10%", iterate, || design_iteration(10_000, 10)),
        design("iterate-10000-50%", iterate, || design_iteration(10_000, 50)),
        design("iterate-10000-100%", iterate, || design_iteration(10_000, 100)),
        design("iterate-100000-10%", iterate, || design_iteration(100_000, 10)),
        design("iterate-100000-50%", iterate, || design_iteration(100_000, 50)),
        design("iterate-100000-100%", iterate, || design_iteration(100_000, 100)),
    ]
}

fn design(name: &str, what: &'static str, lanes: fn() -> Vec<Lane>) -> Table {
    nanos(format!("roster_designs/{name}").leak(), what, lanes, &[])
}

fn bullets(count: u32) -> Vec<Lane> {
    let mut frames = Frames::of(count);
    stores::stores(&mut frames);
    frames.lanes
}

fn handles(count: u32, phase: Phase) -> Vec<Lane> {
    let mut handles = Handles::of(count, phase);
    stores::keyed(&mut handles);
    handles.lanes
}

fn iteration(slots: u32, percent: u32) -> Vec<Lane> {
    let mut iterations = Iterations::of(slots, percent);
    stores::keyed(&mut iterations);
    iterations.lanes
}

fn design_bullets(count: u32) -> Vec<Lane> {
    let mut frames = Frames::of(count);
    stores::store_designs(&mut frames);
    frames.lanes
}

fn design_handles(count: u32, phase: Phase) -> Vec<Lane> {
    let mut handles = Handles::of(count, phase);
    stores::keyed_designs(&mut handles);
    handles.lanes
}

fn design_iteration(slots: u32, percent: u32) -> Vec<Lane> {
    let mut iterations = Iterations::of(slots, percent);
    stores::keyed_designs(&mut iterations);
    iterations.lanes
}
