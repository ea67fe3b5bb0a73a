//! Runs every frame with every contestant, and measures the times.

use std::time::Instant;

use hdrhistogram::Histogram;
use typed_pool::PoolStats;

use super::backends::{Backend, Boxes, DenseSlotMaps, Rosters, Slabs, SlotMaps};
use super::game::{Game, Tally};
use super::options::Options;

/// What one frame does, in this order; the last is all of it.
pub(crate) const PHASES: [&str; 4] = ["bullets", "monsters", "spawn", "frame"];

/// A game, and its times so far.
pub(crate) struct Contestant<B: Backend> {
    game: Game<B>,
    /// Nanoseconds, for each of the [`PHASES`].
    times: Times,
}

pub(crate) type Times = [Histogram<u64>; PHASES.len()];

impl<B: Backend> Contestant<B> {
    fn new(options: &Options) -> Self {
        // From a nanosecond to an hour, to three digits; made here, so that no histogram grows
        // between two measurements.
        let times = || Histogram::new_with_max(3_600_000_000_000, 3).expect("bounds are in order");
        let Options { monsters, bullets, seed, .. } = *options;
        let game = Game::new(monsters, bullets, seed);
        Self { game, times: [times(), times(), times(), times()] }
    }
}

/// A contestant with any backend.
trait Runs {
    fn run(&mut self) -> Tally;
    fn times(&self) -> &Times;
}

impl<B: Backend> Runs for Contestant<B> {
    /// One frame; then, with the clock stopped, the checksum.
    fn run(&mut self) -> Tally {
        let Self { game, times } = self;
        let start = Instant::now();
        game.fly();
        let flown = Instant::now();
        game.walk();
        let walked = Instant::now();
        game.spawn();
        let end = Instant::now();
        let spent = [flown - start, walked - flown, end - walked, end - start];
        for (histogram, time) in times.iter_mut().zip(spent) {
            histogram.saturating_record(time.as_nanos() as u64);
        }
        game.look();
        game.tally
    }

    fn times(&self) -> &Times {
        &self.times
    }
}

pub(crate) struct Results {
    pub(crate) contestants: Vec<(&'static str, Times)>,
    /// Any contestant's: all agree.
    pub(crate) tally: Tally,
    /// Of the roster of monsters.
    pub(crate) pool: PoolStats,
}

/// Runs the frames with every contestant. It is an error if two of them disagree about what happened.
pub(crate) fn run(options: &Options) -> Result<Results, String> {
    let mut rosters = Contestant::<Rosters>::new(options);
    let mut slot_maps = Contestant::<SlotMaps>::new(options);
    let mut dense = Contestant::<DenseSlotMaps>::new(options);
    let mut slabs = Contestant::<Slabs>::new(options);
    let mut boxes = Contestant::<Boxes>::new(options);
    let mut contestants: [(&'static str, &mut dyn Runs); 5] = [
        ("typed-pool", &mut rosters),
        ("SlotMap", &mut slot_maps),
        ("DenseSlotMap", &mut dense),
        ("slab", &mut slabs),
        ("Box (system)", &mut boxes),
    ];
    let mut agreed = Tally::default();
    for number in 0..options.frames {
        for turn in 0..contestants.len() {
            // They take turns at going first, with cold caches.
            let next = (number as usize + turn) % contestants.len();
            let (name, contestant) = &mut contestants[next];
            let tally = contestant.run();
            if turn == 0 {
                agreed = tally;
            } else if tally != agreed {
                return Err(format!("in frame {number}, {name} has {tally:?}, not {agreed:?}"));
            }
        }
    }
    let times =
        |(name, contestant): &(&'static str, &mut dyn Runs)| (*name, contestant.times().clone());
    let contestants = contestants.iter().map(times).collect();
    Ok(Results { contestants, tally: agreed, pool: rosters.game.monsters().stats() })
}
