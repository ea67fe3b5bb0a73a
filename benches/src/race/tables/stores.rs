//! The tables of containers: bullets, handles, iteration.

use super::{Table, nanos};
use crate::race::lanes::stores::{aftermaths, arenas, bullets, churns, handles, iterations};
use crate::race::{Rival, Target};
use crate::workloads::arena::Task;
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

const IN_ORDER: Rival = Rival::Named("limit: indices in order");
const SWAP_DELETE: Rival =
    Rival::Named("limit: swap-delete roster, chunks by table of 128, words apart");
const SLAB_OR_SLOT_MAP: Rival = Rival::FasterOf("slab", "SlotMap");

const CROWD: &[Target] =
    &[Target::ours(1.00, SLAB_OR_SLOT_MAP), Target::ours(1.00, SWAP_DELETE).stretch()];
const LARGE_CROWD: &[Target] = &[Target::ours(0.70, SLAB_OR_SLOT_MAP)];
const AFTERMATH: &[Target] = &[Target::ours(1.00, DENSE)];
const BULLETS: &[Target] = &[Target::ours(1.00, Rival::BestPeer), BOXES];
const MANY_BULLETS: &[Target] =
    &[Target::ours(0.90, Rival::BestPeer), Target::ours(0.80, Rival::BestPeer).stretch(), BOXES];
const INSERT: &[Target] = &[Target::ours(0.90, HOP)];
const MANY_INSERT: &[Target] = &[Target::ours(1.50, HOP)];
const REMOVE: &[Target] = &[Target::ours(1.00, SLOT_MAP)];
const MANY_REMOVE: &[Target] = &[Target::ours(1.00, SLOT_MAP), Target::ours(0.85, SLAB)];
const TAKE: &[Target] = &[Target::ours(1.00, SLOT_MAP)];
const GET: &[Target] = &[Target::ours(1.00, SLOT_MAP), Target::ours(1.00, SLAB)];
const STALE: &[Target] = &[Target::ours(0.85, DENSE)];
const TENTH: &[Target] = &[Target::ours(1.50, DENSE), Target::ours(0.10, SLAB)];
const MANY_TENTH: &[Target] = &[Target::ours(1.30, IN_ORDER)];
const HALF: &[Target] = &[Target::ours(1.60, DENSE)];
const FULL: &[Target] = &[Target::ours(1.00, DENSE)];

pub(super) fn tables() -> Vec<Table> {
    let churn = "a random death and a birth by handles, 64 bytes";
    let aftermath = "read the live values after a million deaths and births, 64 bytes";
    let frame = "bullet-hell frame: move all, drop the expired, fire as many; 64 bytes, per bullet";
    let insert = "insert where all was removed in shuffled order, 64 bytes";
    let remove = "remove in shuffled order, the value dropped unread, 64 bytes";
    let take = "remove in shuffled order, the value read, 64 bytes";
    let get = "get in shuffled order, 64 bytes";
    let stale = "get by stale handles, all slots taken again, 64 bytes";
    let get_number = "get in shuffled order, 10,000 numbers of 8 bytes";
    let new = "insert into a new arena, 10,000 numbers of 8 bytes";
    let used = "insert where all was removed in order, 10,000 numbers of 8 bytes";
    let all = "read all, 10,000 numbers of 8 bytes";
    let half = "read the other half where a random half was removed, of 10,000 numbers of 8 bytes";
    let remove_number = "remove in shuffled order, 10,000 numbers of 8 bytes";
    let iterate = "read the live values, 64 bytes";
    vec![
        nanos("w3h/10000", churn, || churns(10_000), CROWD),
        nanos("w3h/1000000", churn, || churns(1_000_000), LARGE_CROWD),
        nanos("w3h/iterate-after-100000", aftermath, || aftermaths(100_000), AFTERMATH),
        nanos("w3h/iterate-after-1000000", aftermath, || aftermaths(1_000_000), &[]),
        nanos("w4/10000", frame, || bullets(10_000), BULLETS),
        nanos("w4/100000", frame, || bullets(100_000), MANY_BULLETS),
        nanos("w6/insert-10000", insert, || handles(10_000, Phase::Insert), INSERT),
        nanos("w6/insert-100000", insert, || handles(100_000, Phase::Insert), MANY_INSERT),
        nanos("w6/remove-10000", remove, || handles(10_000, Phase::Remove), REMOVE),
        nanos("w6/remove-100000", remove, || handles(100_000, Phase::Remove), MANY_REMOVE),
        nanos("w6/take-10000", take, || handles(10_000, Phase::Take), TAKE),
        nanos("w6/take-100000", take, || handles(100_000, Phase::Take), TAKE),
        nanos("w6/get-10000", get, || handles(10_000, Phase::Get), GET),
        nanos("w6/get-100000", get, || handles(100_000, Phase::Get), GET),
        nanos("w6/stale-10000", stale, || handles(10_000, Phase::GetStale), STALE),
        nanos("w6/stale-100000", stale, || handles(100_000, Phase::GetStale), STALE),
        nanos("w6e/10000-10%", iterate, || iterations(10_000, 10), &[]),
        nanos("w6e/10000-50%", iterate, || iterations(10_000, 50), &[]),
        nanos("w6e/10000-100%", iterate, || iterations(10_000, 100), FULL),
        nanos("w6e/100000-10%", iterate, || iterations(100_000, 10), TENTH),
        nanos("w6e/100000-50%", iterate, || iterations(100_000, 50), HALF),
        nanos("w6e/100000-100%", iterate, || iterations(100_000, 100), FULL),
        nanos("w6e/1000000-10%", iterate, || iterations(1_000_000, 10), MANY_TENTH),
        nanos("w6e/1000000-50%", iterate, || iterations(1_000_000, 50), &[]),
        nanos("w6e/1000000-100%", iterate, || iterations(1_000_000, 100), FULL),
        nanos("arena/get", get_number, || arenas(Task::Get), &[]),
        nanos("arena/insert", new, || arenas(Task::Insert), &[]),
        nanos("arena/insert-used", used, || arenas(Task::InsertUsed), &[]),
        nanos("arena/iterate", all, || arenas(Task::Iterate), &[]),
        nanos("arena/iterate-half", half, || arenas(Task::IterateHalf), &[]),
        nanos("arena/remove", remove_number, || arenas(Task::Remove), &[]),
    ]
}
