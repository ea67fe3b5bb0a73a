//! Runs every frame with every contestant, and measures the times.
//!
//! Each contestant has its own copy of the tree's machine code, and where the compiler puts a copy can by
//! itself make a tenth of a difference.

use std::time::Instant;

use hdrhistogram::Histogram;
use typed_pool::{PoolStats, Pooled};

use super::heaps::{MimallocHeap, SystemHeap};
use super::tree::{Backend, Item, Pool, QuadTreeNode};
use super::world::World;

/// What one frame does, in this order; the last is all of it.
pub(crate) const PHASES: [&str; 4] = ["build", "query", "teardown", "frame"];

/// The pairs of bodies that overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Collisions {
    pub(crate) pairs: u64,
    /// Depends on which pairs there are, not on the order in which they are found.
    pub(crate) checksum: u64,
}

impl Collisions {
    pub(crate) fn add(&mut self, one: u32, other: u32) {
        self.pairs += 1;
        let pair = u64::from(one.min(other)) << 32 | u64::from(one.max(other));
        self.checksum = self.checksum.wrapping_add(mix(pair));
    }

    fn absorb(&mut self, other: Self) {
        self.pairs += other.pairs;
        // A sum of sums would not see two frames change places.
        self.checksum = mix(self.checksum.wrapping_add(other.checksum));
    }
}

/// The finalizer of SplitMix64: every bit of the input changes half of the output's.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A way to run a frame, and its results so far.
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    frame: fn(&World) -> Frame,
    /// Of all frames so far.
    pub(crate) collisions: Collisions,
    /// Nanoseconds, for each of the [`PHASES`].
    pub(crate) times: [Histogram<u64>; 4],
}

impl Contestant {
    fn new<B: Backend>(name: &'static str) -> Self {
        // From a nanosecond to an hour, to three digits; made here, so that no histogram grows
        // between two measurements.
        let times = || Histogram::new_with_max(3_600_000_000_000, 3).expect("bounds are in order");
        Self {
            name,
            frame: frame::<B>,
            collisions: Collisions::default(),
            times: [times(), times(), times(), times()],
        }
    }

    fn run(&mut self, world: &World) {
        let frame = (self.frame)(world);
        self.collisions.absorb(frame.collisions);
        for (histogram, nanoseconds) in self.times.iter_mut().zip(frame.times) {
            histogram.saturating_record(nanoseconds);
        }
    }
}

pub(crate) struct Frame {
    pub(crate) collisions: Collisions,
    times: [u64; 4],
}

/// Builds a tree, queries it for all collisions, and drops it.
pub(crate) fn frame<B: Backend>(world: &World) -> Frame {
    let start = Instant::now();
    let tree = build::<B>(world);
    let built = Instant::now();
    let collisions = collisions(&tree, world);
    let queried = Instant::now();
    drop(tree);
    let end = Instant::now();

    let times = [built - start, queried - built, end - queried, end - start];
    Frame { collisions, times: times.map(|time| time.as_nanos() as u64) }
}

pub(crate) fn build<B: Backend>(world: &World) -> B::Box {
    let mut root = QuadTreeNode::<B>::root(world.size);
    for (body, id) in world.bodies.iter().zip(0..) {
        let [x, y] = body.position;
        root.insert(Item { id, x, y });
    }
    root
}

pub(crate) fn collisions<B: Backend>(tree: &QuadTreeNode<B>, world: &World) -> Collisions {
    let mut collisions = Collisions::default();
    tree.pairs(2.0 * world.radius, &mut |one, other| collisions.add(one, other));
    collisions
}

pub(crate) struct Results {
    pub(crate) contestants: [Contestant; 3],
    /// Any contestant's: all found the same.
    pub(crate) collisions: Collisions,
    pub(crate) pool: PoolStats,
}

/// Runs the frames with every contestant. It is an error if two of them disagree about the collisions.
pub(crate) fn run(mut world: World, frames: u32) -> Result<Results, String> {
    let mut contestants = [
        Contestant::new::<Pool>("typed-pool"),
        Contestant::new::<SystemHeap>("Box (system)"),
        Contestant::new::<MimallocHeap>("mimalloc"),
    ];
    for number in 0..frames {
        for turn in 0..contestants.len() {
            // They take turns at going first, with cold caches.
            let next = (number as usize + turn) % contestants.len();
            contestants[next].run(&world);
        }
        let found = contestants.each_ref().map(|contestant| contestant.collisions);
        if found.iter().any(|collisions| *collisions != found[0]) {
            return Err(format!("up to frame {number}, the contestants found different {found:?}"));
        }
        world.step();
    }
    let collisions = contestants[0].collisions;
    Ok(Results { contestants, collisions, pool: QuadTreeNode::<Pool>::pool_stats() })
}
