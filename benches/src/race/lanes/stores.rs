//! The workloads of containers as lanes.

use core::hint::black_box;
use core::time::Duration;

use crate::contestants::stores::{VisitArena, VisitKeyed, VisitStore};
use crate::objects::Obj64;
use crate::race::{Lane, Turn};
use crate::store::{Keyed, Store};
use crate::workloads::arena::{Task, Yard};
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

/// Values in the arenas' own comparison.
const NUMBERS: u32 = 10_000;

/// How often they run in a turn.
const ARENA_TURNS: u32 = 20;

/// Deaths and births in a turn.
const CHURN_STEPS: u64 = 200_000;

/// Deaths and births before the crowd is read.
const STEPS_BEFORE: u64 = 1_000_000;

/// W3h. Its crowds live for the whole race: to gather a million takes longer than a turn.
pub(in crate::race) struct Churn {
    count: u32,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Churn {
    pub(in crate::race) fn of(count: u32) -> Self {
        Self { count, lanes: Vec::new() }
    }
}

impl VisitKeyed for Churn {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let mut crowd = Crowd::gather::<M>(self.count);
        // Age it: a fresh crowd lies in order.
        crowd.churn(2 * u64::from(self.count));
        self.lanes.push(Lane::new(M::name(), move |_| {
            let mut dead = 0;
            let nanos = Turn::timed(CHURN_STEPS, || dead = crowd.churn(CHURN_STEPS));
            Turn { cost: nanos, checksum: crowd.census() ^ dead }
        }));
    }
}

/// W3h, how the crowd is read afterwards.
pub(in crate::race) struct Aftermath {
    count: u32,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Aftermath {
    pub(in crate::race) fn of(count: u32) -> Self {
        Self { count, lanes: Vec::new() }
    }
}

impl VisitKeyed for Aftermath {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let count = u64::from(self.count);
        let mut crowd = Crowd::gather::<M>(self.count);
        crowd.churn(STEPS_BEFORE);
        let passes = u64::from(READS).div_ceil(count);
        self.lanes.push(Lane::new(M::name(), move |round| {
            // As a game does: some die and some are born, then all are read.
            crowd.churn(count / 100);
            let mut checksum = 0_u64;
            let nanos = Turn::timed(passes * count, || {
                for _ in 0..passes {
                    checksum = checksum.wrapping_add(black_box(&crowd).sum(round));
                }
            });
            Turn { cost: nanos, checksum }
        }));
    }
}

/// W4.
pub(in crate::race) struct Frames {
    count: u32,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Frames {
    pub(in crate::race) fn of(count: u32) -> Self {
        Self { count, lanes: Vec::new() }
    }
}

impl VisitStore for Frames {
    fn visit<S: Store<Bullet>>(&mut self) {
        let count = self.count;
        let frames = u64::from(STEPS / count);
        let mut barrage = Barrage::<S>::new(count);
        self.lanes.push(Lane::new(S::name(), move |round| {
            let nanos = Turn::timed(frames * u64::from(count), || {
                at_place!(round, barrage.frames::<PLACE>(frames));
            });
            Turn { cost: nanos, checksum: barrage.census() }
        }));
    }
}

/// W6.
pub(in crate::race) struct Handles {
    count: u32,
    phase: Phase,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Handles {
    pub(in crate::race) fn of(count: u32, phase: Phase) -> Self {
        Self { count, phase, lanes: Vec::new() }
    }
}

impl VisitKeyed for Handles {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let Self { count, phase, .. } = *self;
        if phase == Phase::GetStale && !M::KNOWS_STALE {
            return;
        }
        let cycles = (OPERATIONS / count).max(1);
        let mut register = Register::<M>::new(count);
        self.lanes.push(Lane::new(M::name(), move |round| {
            let mut spent = Duration::ZERO;
            let mut checksum = 0;
            for _ in 0..cycles {
                let (time, sum) = at_place!(round, register.cycle::<PLACE>(phase));
                spent += time;
                checksum += sum;
            }
            let nanos = spent.as_nanos() as f64 / f64::from(cycles * count);
            Turn { cost: nanos, checksum }
        }));
    }
}

/// W6e.
pub(in crate::race) struct Iterations {
    slots: u32,
    percent: u32,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Iterations {
    pub(in crate::race) fn of(slots: u32, percent: u32) -> Self {
        Self { slots, percent, lanes: Vec::new() }
    }
}

impl VisitKeyed for Iterations {
    fn visit<M: Keyed<Obj64>>(&mut self) {
        let ruin = Ruin::<M>::new(self.slots, self.percent);
        let live = ruin.live();
        let passes = u64::from(READS).div_ceil(live);
        self.lanes.push(Lane::new(M::name(), move |round| {
            let mut checksum = 0_u64;
            let nanos = Turn::timed(passes * live, || {
                for _ in 0..passes {
                    let ruin = black_box(&ruin);
                    checksum = checksum.wrapping_add(at_place!(round, ruin.sum::<PLACE>()));
                }
            });
            Turn { cost: nanos, checksum }
        }));
    }
}

/// The arenas' own comparison.
pub(in crate::race) struct Arenas {
    task: Task,
    pub(in crate::race) lanes: Vec<Lane>,
}

impl Arenas {
    pub(in crate::race) fn of(task: Task) -> Self {
        Self { task, lanes: Vec::new() }
    }
}

impl VisitArena for Arenas {
    fn visit<M: Keyed<u64>>(&mut self) {
        let mut yard = Yard::<M>::new(self.task, NUMBERS);
        self.lanes.push(Lane::new(M::name(), move |round| {
            let mut spent = Duration::ZERO;
            let mut checksum = 0_u64;
            for _ in 0..ARENA_TURNS {
                let (time, sum) = at_place!(round, yard.turn::<PLACE>());
                spent += time;
                checksum = checksum.wrapping_add(sum);
            }
            let nanos = spent.as_nanos() as f64 / f64::from(ARENA_TURNS * yard.operations());
            Turn { cost: nanos, checksum }
        }));
    }
}
