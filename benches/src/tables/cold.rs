//! The first objects of a process and of a thread, and the memory of many. A process for each turn, since what a heap keeps would warm
//! up the next turn, and memory could not be attributed.

use core::hint::black_box;
use core::time::Duration;
use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Instant;

use mimalloc::MiMalloc;
use tikv_jemallocator::Jemalloc;

use super::Table;
use super::boxes::boxes;
use crate::contestant::Contestant;
use crate::contestants::{
    AnyBox, Bump, Derived, DerivedStack, DerivedStatic, DerivedStaticList, Multi, SharedPool,
    Slabs, Slots, SystemBox,
};
use crate::limits::{PlainList, PointerStack};
use crate::objects::{Obj16, Obj64, Payload};
use crate::race::{Lane, Turn, Unit};
use crate::random::Random;
use crate::workloads::{Seats, use_caches};

/// Tells a child what it was started for: an errand and a contestant's name.
pub const SOLO: &str = "--solo";

/// Threads in a turn. It is worth the median: the system disturbs some of them.
const THREADS: usize = 15;

/// The lanes of first objects in a thread.
macro_rules! first {
    ($lane:ident $arguments:tt) => {
        lanes!(
            $lane[Obj64] $arguments: Derived, DerivedStack, DerivedStatic, DerivedStaticList, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
        )
    };
}

/// A process for each turn. The errand names what is measured, the bytes of an object and how many there are.
fn solo<T, C: Contestant<T>>(errand: &'static str) -> Lane {
    Lane::new(C::NAME, move |_| child(Command::new(this()).args([SOLO, errand, C::NAME])))
}

fn this() -> std::path::PathBuf {
    env::current_exe().expect("the path of this program")
}

fn child(command: &mut Command) -> Turn {
    let output = command.output().expect("a process");
    let printed = String::from_utf8_lossy(&output.stdout);
    let cost = printed.trim().parse();
    let cost = cost.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    Turn { cost, checksum: 0 }
}

/// Runs as a child.
pub fn run_errand(errand: &str, name: &str) {
    let [what, bytes, count] = errand.split('/').collect::<Vec<_>>()[..] else {
        panic!("no errand: {errand}")
    };
    let count = count.parse().expect("a number");
    let costs = match (what, bytes) {
        ("thread", _) => first!(second_thread(name)),
        (_, "16") => boxes!(measured[Obj16](what, count, name), Bump),
        _ => boxes!(measured[Obj64](what, count, name), Bump),
    };
    println!("{}", costs.into_iter().flatten().next().expect("a contestant"));
}

/// Nanoseconds or resident bytes an object; `None` for another contestant than the named one.
fn measured<T: Payload, C: Contestant<T>>(what: &str, count: u32, name: &str) -> Option<f64> {
    if C::NAME != name {
        return None;
    }
    let contestant = C::enter();
    let mut seats = Seats::<C::Object>::empty(count as usize);
    let mut row = seats.row();
    // Their memory is not in question.
    row.touch();
    let order = Random::new(7).permutation(count);
    if matches!(what, "reserved" | "prefaulted") {
        contestant.reserve(count as usize);
    }
    if what == "prefaulted" {
        contestant.prefault();
    }
    let before = resident();
    let start = Instant::now();
    row.fill(|number| contestant.alloc(|| T::written(number as u64)));
    let nanos = start.elapsed().as_nanos() as f64;
    let result = match what {
        "live" => resident() - before,
        "freed" => {
            for &place in &order {
                // SAFETY: all places are taken, and a permutation names each once.
                contestant.free(unsafe { row.leave(place as usize) });
            }
            // SAFETY: every object is gone.
            unsafe { contestant.reset() };
            contestant.trim();
            resident() - before
        }
        _ => nanos,
    };
    Some(result / f64::from(count))
}

/// Resident bytes of this process.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let value = status.lines().find_map(|status| status.strip_prefix("VmRSS:"));
    let kibibytes = value.and_then(|value| value.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kibibytes.map_or(f64::NAN, |kibibytes| kibibytes * 1024.0)
}

/// The first object of a thread, with cold caches: a thread begins where another one worked. Returns its time, and a sum over it.
fn first_of_a_thread<T: Payload, C: Contestant<T>>() -> (Duration, u64) {
    let first = || {
        use_caches();
        // The clock's first reading in a thread costs more.
        black_box(Instant::now());
        let start = Instant::now();
        // Seen, since the compiler leaves out a `Box` that is never seen.
        let object = black_box(C::enter().alloc(|| T::written(1)));
        let spent = start.elapsed();
        // SAFETY: the object lives, and nothing is allocated while we look.
        let sum = unsafe { &*C::enter().address(&object) }.sum();
        C::enter().free(object);
        (spent, sum)
    };
    thread::spawn(first).join().expect("no panic")
}

/// The same in a thread that takes over from others, with the memory that they left.
fn later_thread<T: Payload, C: Contestant<T>>() -> Lane {
    Lane::new(C::NAME, move |_| {
        let mut firsts: Vec<_> = (0..THREADS).map(|_| first_of_a_thread::<T, C>()).collect();
        firsts.sort();
        let (time, checksum) = firsts[THREADS / 2];
        Turn { cost: time.as_nanos() as f64, checksum }
    })
}

/// The same in a process's second thread, where the first has used the type.
fn second_thread<T: Payload, C: Contestant<T>>(name: &str) -> Option<f64> {
    (C::NAME == name).then(|| {
        C::enter().free(black_box(C::enter().alloc(|| T::written(1))));
        first_of_a_thread::<T, C>().0.as_nanos() as f64
    })
}

pub(super) fn tables() -> Vec<Table> {
    let first = "the first objects of a process, 64 bytes, each";
    let second = "the first object of a process's second thread, 64 bytes";
    let later = "the first object of a thread that takes over from others, 64 bytes";
    let reserved = "the first objects of a process, announced before, outside of the clock";
    let prefaulted = "the same, their memory brought in before as well";
    let live = "resident bytes an object, a million alive";
    let freed = "resident bytes an object when a million are freed and trimmed";
    let bytes = |table: Table| table.unit(Unit::Bytes).rounds(0.2);
    vec![
        Table::new("w9/1", first, || boxes!(solo[Obj64]("first/64/1"), Bump)),
        Table::new("w9/1000", first, || boxes!(solo[Obj64]("first/64/1000"), Bump)),
        Table::new("w9/1000000", first, || boxes!(solo[Obj64]("first/64/1000000"), Bump)),
        Table::new("w9/thread", second, || first!(solo("thread/64/1"))),
        Table::new("w9/later-thread", later, || first!(later_thread())),
        Table::new(
            "w9/1000000-reserved",
            reserved,
            || lanes!(solo[Obj64] ("reserved/64/1000000"): Derived, DerivedStack),
        ),
        Table::new(
            "w9/1000000-prefaulted",
            prefaulted,
            || lanes!(solo[Obj64] ("prefaulted/64/1000000"): Derived, DerivedStack),
        ),
        bytes(Table::new("memory/16-live", live, || boxes!(solo[Obj16]("live/16/1000000"), Bump))),
        bytes(Table::new("memory/64-live", live, || boxes!(solo[Obj64]("live/64/1000000"), Bump))),
        bytes(Table::new("memory/64-freed", freed, || {
            boxes!(solo[Obj64]("freed/64/1000000"), Bump)
        })),
    ]
}
