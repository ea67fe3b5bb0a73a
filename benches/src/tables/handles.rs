//! Containers: handles, bullets, iteration.

use core::hint::black_box;
use core::time::Duration;

use beach_map::BeachMap;
use mimalloc::MiMalloc;
use slab::Slab;
use slotmap::{DefaultKey, DenseSlotMap, SlotMap};
use thunderdome::Arena;
use typed_pool::Roster;

use super::Table;
use crate::contestant::{Keyed, Store};
use crate::contestants::{Boxes, Derived, HopSlots, Slots, SystemBox};
use crate::limits::{InOrder, SwapDelete};
use crate::objects::{Obj64, Payload};
use crate::race::{Lane, Turn};
use crate::workloads::at_place;
use crate::workloads::crowd::Crowd;
use crate::workloads::frame::{Barrage, Bullet};
use crate::workloads::handles::{Phase, Register};
use crate::workloads::iterate::Ruin;

/// Bullets that are moved in a turn.
const STEPS: u32 = 1_000_000;

/// The least number of operations in a turn.
const OPERATIONS: u32 = 200_000;

/// The least number of values that are read in a turn.
const READS: u32 = 300_000;

/// Deaths and births in a turn.
const CHURN_STEPS: u64 = 200_000;

/// The lanes of containers with keys, and of some contestants more.
macro_rules! keyed {
    ($lane:ident$T:tt $arguments:tt $(, $More:ty)*) => {
        lanes!(
            $lane$T $arguments: Roster<_>, SlotMap<DefaultKey, _>, HopSlots<_>, DenseSlotMap<DefaultKey, _>, Arena<_> $(, $More)*
        )
    };
}

/// Its crowds live for the whole race: to gather a million takes longer than a turn.
fn churn<M: Keyed<Obj64>>(count: u32) -> Lane {
    let mut crowd = Crowd::gather::<M>(count);
    // Age it: a fresh crowd lies in order.
    crowd.churn(2 * u64::from(count));
    Lane::new(M::name(), move |_| {
        let mut dead = 0;
        let cost = Turn::timed(CHURN_STEPS, || dead = crowd.churn(CHURN_STEPS));
        Turn { cost, checksum: crowd.census() ^ dead }
    })
}

fn bullets<S: Store<Bullet>>(count: u32) -> Lane {
    let frames = u64::from(STEPS / count);
    let mut barrage = Barrage::<S>::new(count);
    Lane::new(S::name(), move |round| {
        let cost = Turn::timed(frames * u64::from(count), || {
            at_place!(round, barrage.frames::<PLACE>(frames));
        });
        Turn { cost, checksum: barrage.census() }
    })
}

fn handles<T: Payload, M: Keyed<T>>(count: u32, phase: Phase) -> Lane {
    let cycles = (OPERATIONS / count).max(1);
    let mut register = Register::<T, M>::new(count);
    Lane::new(M::name(), move |round| {
        let mut spent = Duration::ZERO;
        let mut checksum = 0_u64;
        for _ in 0..cycles {
            let (time, sum) = at_place!(round, register.cycle::<PLACE>(phase));
            spent += time;
            checksum = checksum.wrapping_add(sum);
        }
        let cost = spent.as_nanos() as f64 / f64::from(cycles * count);
        Turn { cost, checksum }
    })
}

fn iterate<T: Payload, M: Keyed<T>>(slots: u32, percent: u32) -> Lane {
    let ruin = Ruin::<T, M>::new(slots, percent);
    let passes = u64::from(READS).div_ceil(ruin.live);
    Lane::new(M::name(), move |round| {
        let mut checksum = 0_u64;
        let cost = Turn::timed(passes * ruin.live, || {
            for _ in 0..passes {
                let ruin = black_box(&ruin);
                checksum = checksum.wrapping_add(at_place!(round, ruin.sum::<PLACE>()));
            }
        });
        Turn { cost, checksum }
    })
}

pub(super) fn tables() -> Vec<Table> {
    let mut tables = Vec::new();
    for count in [10_000, 1_000_000] {
        let (name, what) =
            (format!("w3h/{count}"), "a random death and a birth by handles, 64 bytes");
        let lanes = move || keyed!(churn[] (count), Slab<_>, SwapDelete<_>);
        tables.push(Table::new(name, what, lanes));
    }
    for count in [10_000, 100_000] {
        let what =
            "bullet-hell frame: move all, drop the expired, fire as many; 64 bytes, per bullet";
        tables.push(Table::new(format!("w4/{count}"), what, move || {
            keyed!(
                bullets[] (count), Slab<_>, SwapDelete<_>, Boxes<_, Derived>, Boxes<_, SystemBox>, Boxes<_, Slots<MiMalloc>>
            )
        }));
    }
    for (name, what, phase) in [
        ("insert", "insert where all was removed in shuffled order, 64 bytes", Phase::Insert),
        ("remove", "remove in shuffled order, the value dropped unread, 64 bytes", Phase::Remove),
        ("take", "remove in shuffled order, the value read, 64 bytes", Phase::Take),
        ("get", "get in shuffled order, 64 bytes", Phase::Get),
        (
            "get-cold",
            "get in shuffled order after the caches were used by others, 64 bytes",
            Phase::GetCold,
        ),
    ] {
        for count in [10_000, 100_000] {
            tables.push(Table::new(format!("w6/{name}-{count}"), what, move || {
                keyed!(handles[Obj64](count, phase), Slab<_>)
            }));
        }
    }
    for count in [10_000, 100_000] {
        let what = "get by stale handles, all slots taken again, 64 bytes";
        tables.push(Table::new(format!("w6/stale-{count}"), what, move || {
            keyed!(handles[Obj64](count, Phase::GetStale))
        }));
    }
    for slots in [10_000, 100_000, 1_000_000] {
        for percent in [10, 50, 100] {
            let name = format!("w6e/{slots}-{percent}%");
            tables.push(Table::new(name, "read the live values, 64 bytes", move || {
                keyed!(iterate[Obj64](slots, percent), Slab<_>, InOrder<_>)
            }));
        }
    }
    for (name, what, phase) in [
        ("get", "get in shuffled order, 10,000 numbers of 8 bytes", Phase::Get),
        ("insert", "insert into a new arena, 10,000 numbers of 8 bytes", Phase::InsertNew),
        (
            "insert-used",
            "insert where all was removed in order, 10,000 numbers of 8 bytes",
            Phase::InsertUsed,
        ),
        ("remove", "remove in shuffled order, 10,000 numbers of 8 bytes", Phase::Take),
    ] {
        tables.push(Table::new(format!("arena/{name}"), what, move || {
            keyed!(handles[u64](10_000, phase), Slab<_>, generational_arena::Arena<_>, BeachMap<_>)
        }));
    }
    for (name, what, percent) in [
        ("iterate", "read all, 10,000 numbers of 8 bytes", 100),
        (
            "iterate-half",
            "read the other half where a random half was removed, of 10,000 numbers of 8 bytes",
            50,
        ),
    ] {
        tables.push(Table::new(format!("arena/{name}"), what, move || {
            keyed!(
                iterate[u64](10_000, percent),
                Slab<_>,
                generational_arena::Arena<_>,
                BeachMap<_>
            )
        }));
    }
    tables
}
