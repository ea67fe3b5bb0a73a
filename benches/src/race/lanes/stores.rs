//! The workloads of containers as lanes.

use core::hint::black_box;
use core::time::Duration;

use super::lanes;
use crate::contestants::stores::{
    VisitArena, VisitKeyed, VisitStore, arenas as all_arenas, keyed, keyed_ruins, stores,
};
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

lanes! {
    /// W3h. Its crowds live for the whole race: to gather a million takes longer than a turn.
    fn churns(count: u32) by VisitKeyed [M: Keyed<Obj64>] of keyed; |lanes| {
        let mut crowd = Crowd::gather::<M>(count);
        // Age it: a fresh crowd lies in order.
        crowd.churn(2 * u64::from(count));
        lanes.push(Lane::new(M::name(), move |_| {
            let mut dead = 0;
            let cost = Turn::timed(CHURN_STEPS, || dead = crowd.churn(CHURN_STEPS));
            Turn { cost, checksum: crowd.census() ^ dead }
        }));
    }

    /// W3h, how the crowd is read afterwards.
    fn aftermaths(number: u32) by VisitKeyed [M: Keyed<Obj64>] of keyed; |lanes| {
        let count = u64::from(number);
        let mut crowd = Crowd::gather::<M>(number);
        crowd.churn(STEPS_BEFORE);
        let passes = u64::from(READS).div_ceil(count);
        lanes.push(Lane::new(M::name(), move |round| {
            // As a game does: some die and some are born, then all are read.
            crowd.churn(count / 100);
            let mut checksum = 0_u64;
            let cost = Turn::timed(passes * count, || {
                for _ in 0..passes {
                    checksum = checksum.wrapping_add(black_box(&crowd).sum(round));
                }
            });
            Turn { cost, checksum }
        }));
    }

    /// W4.
    fn bullets(count: u32) by VisitStore [S: Store<Bullet>] of stores; |lanes| {
        let frames = u64::from(STEPS / count);
        let mut barrage = Barrage::<S>::new(count);
        lanes.push(Lane::new(S::name(), move |round| {
            let cost = Turn::timed(frames * u64::from(count), || {
                at_place!(round, barrage.frames::<PLACE>(frames));
            });
            Turn { cost, checksum: barrage.census() }
        }));
    }

    /// W6.
    fn handles(count: u32, phase: Phase) by VisitKeyed [M: Keyed<Obj64>] of keyed; |lanes| {
        if phase == Phase::GetStale && !M::KNOWS_STALE {
            return;
        }
        let cycles = (OPERATIONS / count).max(1);
        let mut register = Register::<M>::new(count);
        lanes.push(Lane::new(M::name(), move |round| {
            let mut spent = Duration::ZERO;
            let mut checksum = 0;
            for _ in 0..cycles {
                let (time, sum) = at_place!(round, register.cycle::<PLACE>(phase));
                spent += time;
                checksum += sum;
            }
            let cost = spent.as_nanos() as f64 / f64::from(cycles * count);
            Turn { cost, checksum }
        }));
    }

    /// W6e.
    fn iterations(slots: u32, percent: u32) by VisitKeyed [M: Keyed<Obj64>] of keyed_ruins; |lanes| {
        let ruin = Ruin::<M>::new(slots, percent);
        let live = ruin.live();
        let passes = u64::from(READS).div_ceil(live);
        lanes.push(Lane::new(M::name(), move |round| {
            let mut checksum = 0_u64;
            let cost = Turn::timed(passes * live, || {
                for _ in 0..passes {
                    let ruin = black_box(&ruin);
                    checksum = checksum.wrapping_add(at_place!(round, ruin.sum::<PLACE>()));
                }
            });
            Turn { cost, checksum }
        }));
    }

    /// The arenas' own comparison.
    fn arenas(task: Task) by VisitArena [M: Keyed<u64>] of all_arenas; |lanes| {
        let mut yard = Yard::<M>::new(task, NUMBERS);
        lanes.push(Lane::new(M::name(), move |round| {
            let mut spent = Duration::ZERO;
            let mut checksum = 0_u64;
            for _ in 0..ARENA_TURNS {
                let (time, sum) = at_place!(round, yard.turn::<PLACE>());
                spent += time;
                checksum = checksum.wrapping_add(sum);
            }
            let cost = spent.as_nanos() as f64 / f64::from(ARENA_TURNS * yard.operations());
            Turn { cost, checksum }
        }));
    }
}
