//! The tables of what a user pays besides: cold memory, its size, growth, and compilation.

use super::{BUMP, MIMALLOC, SYSTEM, Table, Unit, nanos};
use crate::contestants::roll;
use crate::objects::{Obj16, Obj64};
use crate::race::lanes::{builds, first, frames, unoptimised};
use crate::race::solo::{Errand, Solos};
use crate::race::{Lane, Rival, Target};

const COLD: &[Target] = &[Target::ours(1.05, BUMP), Target::ours(1.05, MIMALLOC)];
const THREAD: &[Target] =
    &[Target::ours(500.0, Rival::Nobody), Target::of("typed-pool, static", 500.0, Rival::Nobody)];
const SMALL: &[Target] = &[Target::ours(1.05, BUMP)];
const DEBUG_PAIR: &[Target] =
    &[Target::ours(3.0, SYSTEM), Target::of("typed-pool, any::Box", 4.0, SYSTEM)];
const DEBUG_GET: &[Target] = &[Target::ours(3.0, Rival::Named("limit: Vec of Option"))];

pub(super) fn tables() -> Vec<Table> {
    let cold = "the first objects of a process, 64 bytes, each";
    let of_a_thread = "the first object of a process's second thread, 64 bytes";
    let of_ten_types = "the first objects of that thread, of ten types, 32 to 256 bytes, each";
    let later = "the first object of a thread that takes over from others, 64 bytes";
    let later_ten = "the first objects of that thread, of ten types, 32 to 256 bytes, each";
    let reserved = "the same, announced before, outside of the clock";
    let prefaulted = "the same, its memory brought in before as well, where that can be asked for";
    let small = "the first objects of a process, ours on small pages, 64 bytes, each";
    let live = "resident bytes an object, a million alive";
    let freed = "resident bytes an object when a million are freed and trimmed";
    let pair = "a box made and dropped, 64 bytes, without optimisation";
    let get = "get in order among 1,000, 32 bytes, without optimisation";
    vec![
        nanos("w9/1", cold, || solos(Errand::Cold(1)), &[]),
        nanos("w9/1000", cold, || solos(Errand::Cold(1_000)), &[]),
        nanos("w9/1000000", cold, || solos(Errand::Cold(1_000_000)), COLD),
        nanos("w9/thread", of_a_thread, || first::second(1), THREAD),
        nanos("w9/thread-10", of_ten_types, || first::second(10), THREAD),
        nanos("w9/later-thread", later, || first::later(1), THREAD),
        nanos("w9/later-thread-10", later_ten, || first::later(10), THREAD),
        nanos("w9/1000-reserved", reserved, || solos(Errand::Reserved(1_000)), &[]),
        nanos("w9/1000000-reserved", reserved, || solos(Errand::Reserved(1_000_000)), &[]),
        nanos("w9/1000000-prefaulted", prefaulted, || solos(Errand::Prefaulted(1_000_000)), &[]),
        nanos("w9-small-pages/1000000", small, on_small_pages, SMALL),
        bytes("memory/16-live", live, || small_solos(Errand::Live)),
        bytes("memory/64-live", live, || solos(Errand::Live)),
        bytes("memory/64-freed", freed, || solos(Errand::Freed)),
        nanos(
            "frames/reset-all",
            "10,000 objects of 16 and 64 bytes in a frame, and a reset, each",
            frames::frames,
            &[],
        ),
        nanos(
            "frames/threads",
            "100,000 such objects of each of two threads in one frame, each",
            frames::shared_frames,
            &[],
        ),
        nanos(
            "frames/last",
            "64 bytes allocated, and freed as the last",
            frames::from_the_top,
            &[],
        ),
        nanos("frames/reset", "a byte allocated, and a reset", frames::resets, &[]),
        nanos(
            "frames/tracked",
            "64 bytes of a counted heap allocated and freed",
            frames::tracked,
            &[],
        ),
        Table { rounds: 0.2, ..nanos("unoptimised/pair", pair, unoptimised::pairs, DEBUG_PAIR) },
        Table { rounds: 0.2, ..nanos("unoptimised/get", get, unoptimised::look_ups, DEBUG_GET) },
        Table {
            unit: Unit::Micros,
            rounds: 0.2,
            ..nanos("compile/type", "`cargo check` of one more type", builds::of_types, &[])
        },
        Table {
            unit: Unit::Seconds,
            rounds: 0.1,
            ..nanos(
                "compile/cold",
                "a first build of the crate, its derive included",
                builds::cold,
                &[],
            )
        },
    ]
}

const fn bytes(name: &'static str, what: &'static str, lanes: fn() -> Vec<Lane>) -> Table {
    Table { unit: Unit::Bytes, rounds: 0.2, ..nanos(name, what, lanes, &[]) }
}

fn solos(errand: Errand) -> Vec<Lane> {
    entered(Solos::of::<Obj64>(errand))
}

fn on_small_pages() -> Vec<Lane> {
    entered(Solos::of::<Obj64>(Errand::Cold(1_000_000)).on_small_pages())
}

fn entered(mut solos: Solos) -> Vec<Lane> {
    roll::flat_peers::<Obj64>(&mut solos);
    solos.lanes
}

fn small_solos(errand: Errand) -> Vec<Lane> {
    let mut solos = Solos::of::<Obj16>(errand);
    roll::flat_peers::<Obj16>(&mut solos);
    solos.lanes
}
