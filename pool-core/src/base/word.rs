//! The two atomic words of a pool without a heap: one that is compared and swapped, and a link.
//!
//! The first has 64 bits where the target can compare and swap those, else 32 (`base/atomic/swap.rs`).

pub(crate) use core::sync::atomic::Ordering;

use crate::base::atomic::const_unless_model;
use crate::base::atomic::swap::AtomicU32;
pub(crate) use crate::base::atomic::swap::{AtomicWord, WordBits};
use crate::base::watch::Mark;

/// The most slots that a pool may have: their numbers leave half of an atomic word for a tag.
pub const MOST_SLOTS: usize = (WordBits::MAX >> (WordBits::BITS / 2)) as usize;

/// The number of a slot, or 0 for none.
#[derive(Debug)]
pub(crate) struct AtomicLink {
    number: AtomicU32,
    /// The mark of the slot whose link this is.
    pub(crate) mark: Mark,
}

impl AtomicLink {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self { number: AtomicU32::new(0), mark: Mark::new() }
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self) -> u32 {
        self.number.load(Ordering::Relaxed)
    }

    #[inline(always)]
    pub(crate) fn set(&self, number: u32) {
        self.number.store(number, Ordering::Relaxed);
    }
}
