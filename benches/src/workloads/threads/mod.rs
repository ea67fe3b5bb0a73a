//! W7: two threads and one allocator.

mod hand_off;
mod larson;
mod own;

pub use hand_off::HandOff;
pub use larson::Larson;
pub use own::{OwnBursts, OwnPairs};

use std::sync::Arc;

use super::{Blind, Sum};
use crate::contestant::Contestant;
use crate::objects::Payload;

/// Operations in a portion, for each side: an object allocated and freed, or a hand-over of one.
pub const PORTION: u32 = 10_000;

/// A workload of two threads.
pub trait Shared: Send + Sync + 'static {
    /// Runs this many portions of one side's share.
    fn work(&self, side: usize, portions: u64);

    /// Some more of the same, or a look at what is left of it: adds up what objects hold.
    fn check(&self, side: usize) -> u64;
}

/// One of the two threads.
#[derive(Clone, Copy)]
pub enum Which {
    /// Each frees at once what it has allocated.
    OwnPair,
    /// Each frees a thousand that it has allocated.
    OwnBurst,
    /// One allocates, the other frees unread.
    HandOff,
    /// One allocates, the other reads and frees.
    HandOffRead,
    /// Random deaths and births, in crowds that are swapped.
    Larson,
}

impl Which {
    /// The workload for a contestant.
    #[must_use]
    pub fn of<T, C>(self, contestant: C) -> Arc<dyn Shared>
    where
        T: Payload,
        C: Contestant<T, Object: Send> + Send + Sync,
    {
        match self {
            Self::OwnPair => Arc::new(OwnPairs::new(contestant)),
            Self::OwnBurst => Arc::new(OwnBursts::new(contestant)),
            Self::HandOff => Arc::new(HandOff::<T, C, Blind>::new(contestant)),
            Self::HandOffRead => Arc::new(HandOff::<T, C, Sum>::new(contestant)),
            Self::Larson => Arc::new(Larson::new(contestant)),
        }
    }
}
