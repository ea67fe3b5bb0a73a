//! Static pools and rosters, and what others share between threads.

use std::rc::Rc;
use std::sync::{Arc, Mutex};

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

use super::Table;
use super::boxes::burst;
use crate::contestant::Contestant;
use crate::contestants::sessions::{
    InConcurrent, InDashMap, InMutex, InParkingLot, InRwLock, InSlab, Ours, Sessions,
};
use crate::contestants::{DerivedStatic, DerivedStaticList, Slots, SystemBox};
use crate::crew::{Crew, Job, SIDES};
use crate::limits::SharedMagazine;
use crate::objects::{Obj64, Payload};
use crate::race::{Lane, Turn};
use crate::random::Random;
use crate::workloads::burst::Order;
use crate::workloads::threads::{PORTION, Which};

/// Portions in a turn: short enough that most turns end before the system takes a core away.
const PORTIONS: u64 = 20;

/// Elements of a static roster.
const CROWD: u32 = 10_000;

/// Operations in a turn, for each thread: short enough, too.
const STEPS: u32 = 50_000;

/// The lanes of allocators whose objects may be freed by any thread.
macro_rules! shared {
    ($lane:ident $arguments:tt) => {
        lanes!(
            $lane[Obj64] $arguments: DerivedStatic, DerivedStaticList, Slots<SharedMagazine>, SystemBox, Slots<MiMalloc>, Slots<Jemalloc>,
            Slots<SnMalloc>,
        )
    };
}

fn threads<T, C>(which: Which, crew: Rc<Crew>) -> Lane
where
    T: Payload,
    C: Contestant<T, Object: Send> + Send + Sync,
{
    let [work, check] = which.of::<T, C>(C::enter(), PORTIONS);
    Lane::new(C::NAME, move |_| {
        let (spent, _) = crew.run(&work);
        let cost = spent.as_nanos() as f64 / (PORTIONS * u64::from(PORTION)) as f64;
        let (_, checksum) = crew.run(&check);
        Turn { cost, checksum }
    })
}

/// A workload of rosters.
#[derive(Clone, Copy)]
enum What {
    /// Look-ups of one thread.
    One,
    /// Look-ups of two.
    Two,
    /// Deaths and births by two.
    Churn,
}

fn sessions<S: Sessions>(what: What, crew: Rc<Crew>) -> Lane {
    let half = CROWD / 2;
    // Each side lets its own die.
    let keys = SIDES.map(|side| {
        let numbers = (0..half).map(|at| u64::from(at) * 2 + side as u64);
        numbers.map(|number| (S::insert(number), number)).collect::<Vec<_>>()
    });
    let everything: Vec<S::Key> = keys.iter().flatten().map(|(key, _)| *key).collect();
    let keys = keys.map(Mutex::new);
    let look: Job = Arc::new(move |side| {
        let mut random = Random::new(side as u64);
        let found = (0..STEPS).map(|_| S::get(everything[random.below(CROWD) as usize]));
        found.fold(0, u64::wrapping_add)
    });
    let churn: Job = Arc::new(move |side| {
        let (mut random, mut sum) = (Random::new(side as u64), 0);
        let mut keys = keys[side].lock().expect("no panic");
        for _ in 0..STEPS {
            let (key, number) = &mut keys[random.below(half) as usize];
            sum += S::remove(*key);
            *key = S::insert(*number);
        }
        sum
    });
    Lane::new(S::NAME, move |_| {
        let mut checksum = 0;
        let cost = match what {
            What::One => Turn::timed(STEPS.into(), || checksum = look(0)),
            What::Two | What::Churn => {
                let job = if matches!(what, What::Two) { &look } else { &churn };
                let (spent, sum) = crew.run(job);
                checksum = sum;
                spent.as_nanos() as f64 / f64::from(STEPS)
            }
        };
        Turn { cost, checksum }
    })
}

pub(super) fn tables() -> Vec<Table> {
    let mut tables = Vec::new();
    for order in [Order::Same, Order::Shuffled] {
        let what =
            "64-byte objects that any thread may free, allocated and then freed by one thread";
        tables.push(Table::new(format!("w2-static/100000-{}", order.name()), what, move || {
            let order = order.of(100_000);
            shared!(burst(&order))
        }));
    }
    // Turns are short, and two threads are disturbed twice as often as one.
    const ROUNDS: f64 = 3.0;
    for (name, what, which) in [
        ("own-pair", "two threads: alloc, write all fields, free; 64 bytes", Which::OwnPair),
        (
            "own-burst",
            "two threads: 1,000 of 64 bytes allocated and then freed in the same order",
            Which::OwnBurst,
        ),
        (
            "hand-off",
            "two threads: one allocates 64 bytes, the other frees them unread",
            Which::HandOff,
        ),
        (
            "hand-off-read",
            "two threads: one allocates 64 bytes, the other reads and frees them",
            Which::HandOffRead,
        ),
        (
            "larson",
            "two threads: a random death and a birth, 64 bytes; crowds are swapped",
            Which::Larson,
        ),
    ] {
        let table = Table::new(format!("w7/{name}"), what, move || {
            let crew = Rc::new(Crew::gather());
            shared!(threads(which, Rc::clone(&crew)))
        });
        tables.push(table.rounds(ROUNDS));
    }
    for (name, what, kind) in [
        ("one", "a static roster: a look-up among 10,000", What::One),
        ("two", "a static roster: look-ups among 10,000, two threads at once", What::Two),
        (
            "churn",
            "a static roster: a death and a birth among 10,000, two threads at once",
            What::Churn,
        ),
    ] {
        let table = Table::new(format!("w12/{name}"), what, move || {
            let crew = Rc::new(Crew::gather());
            lanes!(
                sessions[] (kind, Rc::clone(&crew)): Ours, InRwLock, InParkingLot, InMutex, InSlab, InDashMap, InConcurrent,
            )
        });
        tables.push(table.rounds(ROUNDS));
    }
    tables
}
