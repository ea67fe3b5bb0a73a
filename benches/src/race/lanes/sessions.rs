//! W12: elements that two threads look up, and that come and go.

use std::rc::Rc;
use std::sync::{Arc, Mutex};

use super::lanes;
use crate::contestants::sessions::{Sessions, VisitSessions, all};
use crate::crew::{Crew, Job, SIDES};
use crate::race::{Lane, Turn};
use crate::random::Random;

/// How many there are.
const CROWD: u32 = 10_000;

/// Operations in a turn, for each thread: short enough that most turns end before the system takes a core away.
const STEPS: u32 = 50_000;

#[derive(Clone, Copy)]
pub(in crate::race) enum What {
    /// Look-ups of one thread.
    One,
    /// Look-ups of two.
    Two,
    /// Deaths and births by two.
    Churn,
}

lanes! {
    fn in_crew(what: What, crew: Rc<Crew>) by VisitSessions [S: Sessions] of all; |lanes| {
        let half = CROWD / 2;
        // Each side lets its own die.
        let keys = SIDES.map(|side| {
            let numbers = (0..half).map(|at| u64::from(at) * 2 + side as u64);
            Mutex::new(numbers.map(|number| (S::insert(number), number)).collect::<Vec<_>>())
        });
        let keys = Arc::new(keys);
        let everything: Arc<Vec<S::Key>> = {
            let both = keys.iter().flat_map(|keys| keys.lock().expect("no panic").clone());
            Arc::new(both.map(|(key, _)| key).collect())
        };
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
        lanes.push(Lane::new(S::NAME, move |_| {
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
        }));
    }
}

pub(in crate::race) fn sessions(what: What) -> Vec<Lane> {
    in_crew(what, Rc::new(Crew::gather()))
}
