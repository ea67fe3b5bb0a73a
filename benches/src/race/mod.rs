//! Side by side: all contestants of a table take turns in one process, round by round.
//!
//! A machine's speed drifts by more than allocators differ. What happens within one round happens
//! to all contestants, so ratios are taken within rounds, and the median of those is reported.

mod outcome;
pub mod program;

use core::hint::black_box;
use std::time::Instant;

pub use outcome::{Outcome, Standing, Unit};

/// The contestant that all ratios refer to.
pub const OURS: &str = "typed-pool";

/// A contestant's result in one round.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Nanoseconds for each operation, or bytes for each object.
    pub cost: f64,
    /// The workload's result, which is the same for all contestants in a round.
    pub checksum: u64,
}

impl Turn {
    /// Times `work`, which runs `operations` of them.
    pub fn timed(operations: u64, work: impl FnOnce()) -> f64 {
        let start = Instant::now();
        work();
        start.elapsed().as_nanos() as f64 / operations as f64
    }
}

/// A contestant's place in a race: its name, and what it does each round.
pub struct Lane {
    name: &'static str,
    turn: Box<dyn FnMut(usize) -> Turn>,
}

impl Lane {
    /// `turn` gets the number of the round.
    pub fn new(name: &'static str, turn: impl FnMut(usize) -> Turn + 'static) -> Self {
        Self { name, turn: Box::new(turn) }
    }
}

/// A contestant's results: the cost of an operation or object, round by round.
#[derive(Clone, Debug)]
pub struct Track {
    pub name: &'static str,
    /// In the order of rounds.
    pub costs: Vec<f64>,
}

impl Track {
    /// The median cost.
    pub fn median(&self) -> f64 {
        median(self.costs.clone())
    }

    /// How many times as long as `other` this took: the median over the rounds.
    pub fn times(&self, other: &Self) -> f64 {
        median(self.costs.iter().zip(&other.costs).map(|(ours, theirs)| ours / theirs).collect())
    }
}

/// How many places the stack has.
const DEPTHS: usize = 8;

/// Calls `f` with the stack `depth` times half a kilobyte deeper.
///
/// A load from the stack waits for a store to an object that lies a multiple of 4,096 bytes away, as if it were the same place. So
/// there is not one depth for a whole race.
#[inline(never)]
fn deeper(depth: usize, f: &mut dyn FnMut() -> Turn) -> Turn {
    let frame = black_box([0_u8; 480]);
    let turn = if depth == 0 { f() } else { deeper(depth - 1, f) };
    black_box(&frame);
    turn
}

/// Runs the race. Another contestant begins each round, and the first round is not counted.
pub fn run(mut lanes: Vec<Lane>, rounds: usize) -> Vec<Track> {
    let track = |lane: &Lane| Track { name: lane.name, costs: Vec::with_capacity(rounds) };
    let mut tracks: Vec<_> = lanes.iter().map(track).collect();
    for round in 0..=rounds {
        let mut agreed = None;
        for turn in 0..lanes.len() {
            let index = (round + turn) % lanes.len();
            let Turn { cost, checksum } =
                deeper(round % DEPTHS, &mut || (lanes[index].turn)(round));
            let expected = *agreed.get_or_insert(checksum);
            assert_eq!(checksum, expected, "{} miscounts", lanes[index].name);
            if round > 0 {
                tracks[index].costs.push(cost);
            }
        }
    }
    tracks
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
