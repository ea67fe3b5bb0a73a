//! Two threads that begin a piece of work at the same time.

use core::hint;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Instant;

/// The two sides of a workload.
pub const SIDES: [usize; 2] = [0, 1];

/// The work of one side. The results of both are added.
pub type Job = Arc<dyn Fn(usize) -> u64 + Send + Sync>;

/// Two threads, the same for everything that runs: an allocator keeps what it has for a thread as
/// long as the thread lives, and a thread that ended and began anew would measure that.
pub struct Crew([Hand; 2]);

/// A thread, seen from outside.
struct Hand {
    jobs: Sender<Job>,
    done: Receiver<Done>,
}

struct Done {
    begun: Instant,
    ended: Instant,
    result: u64,
}

impl Crew {
    /// Starts the threads, which end with the crew.
    pub fn gather() -> Self {
        let meeting = Arc::new(Meeting::default());
        Self(SIDES.map(|side| {
            let (jobs, to_do) = mpsc::channel::<Job>();
            let (finished, done) = mpsc::channel();
            let meeting = Arc::clone(&meeting);
            thread::spawn(move || {
                for job in to_do {
                    meeting.wait();
                    let begun = Instant::now();
                    let result = job(side);
                    let ended = Instant::now();
                    drop(job);
                    if finished.send(Done { begun, ended, result }).is_err() {
                        return;
                    }
                }
            });
            Hand { jobs, done }
        }))
    }

    /// Lets both do the job. How long it took from the first's start to the last's end, and the sum of
    /// their results.
    pub fn run(&self, job: &Job) -> (Duration, u64) {
        let [one, other] = &self.0;
        for hand in [one, other] {
            hand.jobs.send(Arc::clone(job)).expect("a thread that waits for work");
        }
        let [one, other] = [one, other].map(|hand| hand.done.recv().expect("no panic"));
        let spent = one.ended.max(other.ended) - one.begun.min(other.begun);
        (spent, one.result.wrapping_add(other.result))
    }
}

/// A barrier for two threads, to be used again and again.
#[derive(Default)]
pub struct Meeting {
    arrived: AtomicU64,
}

impl Meeting {
    /// Returns when both have called it, and each sees what the other did before.
    #[inline]
    pub fn wait(&self) {
        let turn = self.arrived.fetch_add(1, Ordering::AcqRel) / 2;
        wait_until(|| self.arrived.load(Ordering::Acquire) / 2 > turn);
    }
}

/// Waits without a call to the system, unless it takes so long that the other thread may have no core.
#[inline]
pub fn wait_until(mut is_so: impl FnMut() -> bool) {
    let mut looks = 0_u32;
    while !is_so() {
        looks += 1;
        if looks.is_multiple_of(256) {
            thread::yield_now();
        } else {
            hint::spin_loop();
        }
    }
}
