//! Tasks of three kinds, which are spawned, polled a few times in turn, and done.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::hint::black_box;
use std::task::{Context, Poll, Waker};

use super::pointers::{Task, task};
use crate::clock::{Clock, Phases};
use crate::random::Random;

const TASKS: usize = 100_000;
/// Tasks that wait at a time.
const WAITING: usize = 1000;
const ROUNDS: usize = 7;

/// Waits for its next turn.
async fn yield_now() {
    let mut has_waited = false;
    poll_fn(|_| {
        let poll = if has_waited { Poll::Ready(()) } else { Poll::Pending };
        has_waited = true;
        poll
    })
    .await;
}

/// A task that keeps this much across its turns.
async fn work<const WORDS: usize>(seed: u64, turns: usize) -> u64 {
    let mut state = [seed; WORDS];
    for turn in 0..turns {
        state[turn % WORDS] = state[turn % WORDS].wrapping_mul(31);
        yield_now().await;
    }
    state.iter().fold(0, |sum, word| sum ^ word)
}

fn spawn(random: &mut Random) -> Task {
    let (seed, turns) = (random.below(1000) as u64, 1 + random.below(6));
    match random.below(3) {
        0 => task(work::<2>(seed, turns)),
        1 => task(work::<8>(seed, turns)),
        _ => task(work::<24>(seed, turns)),
    }
}

pub(crate) fn run() -> Phases {
    let mut clock = Clock::start();
    let mut random = Random::new();
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..ROUNDS {
        clock.phase("executor: a task, spawned and done", TASKS, || {
            let mut queue: VecDeque<_> = (0..WAITING).map(|_| spawn(&mut random)).collect();
            let (mut spawned, mut sum) = (WAITING, 0);
            while let Some(mut task) = queue.pop_front() {
                match task.as_mut().poll(&mut context) {
                    Poll::Pending => queue.push_back(task),
                    Poll::Ready(result) => {
                        sum ^= result;
                        if spawned < TASKS {
                            spawned += 1;
                            queue.push_back(spawn(&mut random));
                        }
                    }
                }
            }
            black_box(sum)
        });
    }
    clock.stop()
}
