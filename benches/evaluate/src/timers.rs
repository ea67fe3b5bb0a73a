//! Boxed timers, sorted by when they are due. Most are cancelled before that.

use std::collections::BTreeMap;
use std::hint::black_box;

use typed_pool::Pooled;

use super::pointers::Box;
use crate::clock::{Clock, Phases};
use crate::random::Random;

const TIMERS: usize = 20_000;
const STEPS: usize = 200_000;
const ROUNDS: usize = 5;

#[derive(Pooled)]
struct Timer {
    connection: u64,
    context: [u64; 5],
}

pub(crate) fn run() -> Phases {
    let mut clock = Clock::start();
    let mut random = Random::new();
    for _ in 0..ROUNDS {
        let mut timers: BTreeMap<(u64, u64), Box<Timer>> = BTreeMap::new();
        let mut running = Vec::with_capacity(TIMERS);
        for id in 0..TIMERS as u64 {
            let key = (1000 + random.below(1000) as u64, id);
            timers.insert(key, Box::new(Timer { connection: id, context: [id; 5] }));
            running.push(key);
        }
        clock.phase("timers: cancel one, start one", STEPS, || {
            let mut sum = 0;
            for step in 0..STEPS as u64 {
                let at = random.below(TIMERS);
                if let Some(timer) = timers.remove(&running[at]) {
                    sum ^= timer.connection ^ timer.context[0];
                }
                let key = (1000 + step / 100 + random.below(1000) as u64, TIMERS as u64 + step);
                timers.insert(key, Box::new(Timer { connection: step, context: [step; 5] }));
                running[at] = key;
            }
            black_box(sum)
        });
    }
    clock.stop()
}
