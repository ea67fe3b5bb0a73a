//! The pools of a thread of the soak, and the books that it keeps of them.

mod boxes;
mod by_layout;
mod rosters;
mod shared;

use std::any::Any;
use std::cell::RefCell;
use std::sync::atomic::{AtomicIsize, Ordering};

use typed_pool::{Pooled, SharedByLayout};

use crate::heap::while_poor;
use by_layout::AnySizes;
use shared::{OfAnyType, OfProcess, OfThread, SharedCounted};

/// Elements that are alive, in all threads.
pub(crate) static ALIVE: AtomicIsize = AtomicIsize::new(0);

/// A part of every element: it notices when it is not what was put there, and is counted.
pub(crate) struct Canary {
    seed: u64,
    /// A block that is dropped twice, or never, shows where the heap is watched.
    mirror: Box<u64>,
}

impl Canary {
    fn new(seed: u64) -> Self {
        ALIVE.fetch_add(1, Ordering::Relaxed);
        Self { seed, mirror: Box::new(!seed) }
    }

    fn check(&self, seed: u64) {
        assert_eq!(
            (self.seed, *self.mirror),
            (seed, !seed),
            "an element is not what was put there"
        );
    }
}

impl Drop for Canary {
    fn drop(&mut self) {
        self.check(self.seed);
        self.seed = 0xDEAD;
        ALIVE.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Something that random steps are done to.
pub(crate) trait Subject {
    fn step(&mut self, random: &mut fastrand::Rng);

    /// That all elements are what they should be.
    fn check(&self);

    /// The thread is about to end. What the subject has may be left to thread-locals, or to another thread.
    fn leave(self: Box<Self>);

    /// Drops what it has now.
    fn end(self: Box<Self>) {}
}

thread_local! {
    /// Destroyed before pools, or after them, as it happens.
    static LATE: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Now and then the heap has no large blocks, so that a pool has to do with less than it would like. (Where it has not even the
/// least, a program ends, as with `Box`.)
fn perhaps_poor<R>(random: &mut fastrand::Rng, f: impl FnOnce() -> R) -> R {
    if random.u8(..4) == 0 { while_poor(random.usize(LEAST..4 * LEAST), f) } else { f() }
}

/// The memory that pools of some hundred elements need.
const LEAST: usize = 16 << 10;

/// One of all that there is. (Pools, rosters and frames that are values are in `script`.)
pub(crate) fn some(random: &mut fastrand::Rng) -> Box<dyn Subject> {
    match random.u8(..20) {
        0..8 => boxes::some(random),
        8..11 => rosters::some(random),
        11..13 => Box::<OfThread>::default(),
        13..15 => Box::<OfProcess>::default(),
        15..17 => Box::<OfAnyType>::default(),
        _ => Box::<AnySizes>::default(),
    }
}

/// Once no thread works: drops what lies between threads, and gives back what pools keep.
pub(crate) fn clear() {
    boxes::clear();
    rosters::clear();
    SharedCounted::pool_trim();
    SharedByLayout::trim();
}
