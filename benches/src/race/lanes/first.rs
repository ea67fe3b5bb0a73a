//! The first objects of a thread as lanes.

use core::time::Duration;

use mimalloc::MiMalloc;
use tikv_jemallocator::Jemalloc;

use crate::contestants::{Derived, Slots, SystemBox};
use crate::race::solo::{self, Errand};
use crate::race::{Lane, OURS, Turn};
use crate::workloads::first::{First, in_a_thread, local, shared, shared_list, stack};

/// Threads in a turn. It is worth the median: the system disturbs some of them.
const THREADS: usize = 15;

/// The first allocations of each: an object of one type, and of ten.
const CONTESTANTS: [(&str, First, First); 7] = [
    (OURS, local::one::<Derived>, local::ten::<Derived>),
    ("typed-pool, pointer_stack", stack::one::<Derived>, stack::ten::<Derived>),
    ("typed-pool, static", shared::one::<Derived>, shared::ten::<Derived>),
    ("typed-pool, static free_list", shared_list::one::<Derived>, shared_list::ten::<Derived>),
    ("Box (system)", local::one::<SystemBox>, local::ten::<SystemBox>),
    ("mimalloc", local::one::<Slots<MiMalloc>>, local::ten::<Slots<MiMalloc>>),
    ("jemalloc", local::one::<Slots<Jemalloc>>, local::ten::<Slots<Jemalloc>>),
];

fn first_of(types: u32, (_, one, ten): (&str, First, First)) -> First {
    if types == 1 { one } else { ten }
}

/// In a thread that takes over from others, with the memory that they left.
pub(in crate::race) fn later(types: u32) -> Vec<Lane> {
    let lane = |contestant: (&'static str, First, First)| {
        let first = first_of(types, contestant);
        Lane::new(contestant.0, move |_| {
            let mut checksum = 0_u64;
            let mut times: Vec<Duration> = Vec::with_capacity(THREADS);
            for _ in 0..THREADS {
                let (time, sum) = in_a_thread(first);
                times.push(time);
                checksum += sum;
            }
            times.sort();
            Turn { cost: times[THREADS / 2].as_nanos() as f64 / f64::from(types), checksum }
        })
    };
    CONTESTANTS.into_iter().map(lane).collect()
}

/// In the second thread of a process, each turn a process of its own.
pub(in crate::race) fn second(types: u32) -> Vec<Lane> {
    let lane =
        |(name, ..): (&'static str, First, First)| solo::lane(Errand::Thread(types), 0, name, None);
    CONTESTANTS.into_iter().map(lane).collect()
}

/// The work of a child for [`second`]; returns nanoseconds an object.
pub(in crate::race) fn run(types: u32, name: &str) -> f64 {
    let found = CONTESTANTS.into_iter().find(|contestant| contestant.0 == name);
    let first = first_of(types, found.expect("a contestant"));
    // The first thread has used all of them.
    let (_, expected) = first();
    let (time, sum) = in_a_thread(first);
    assert_eq!(sum, expected, "{name} miscounts");
    time.as_nanos() as f64 / f64::from(types)
}
