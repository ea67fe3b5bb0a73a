//! The mark beside each slot, with `hardened`: whether the slot is occupied.
//!
//! The marks of a chunk lie between its header and its slots; the mark of a slot in a static, in its link. They need no memory
//! order: only who has a slot changes its mark, and slots go from thread to thread as their pool says. But a slot's mark is
//! *exchanged* when the slot is given back, so if two threads free one slot, one of them is refused.

use core::sync::atomic::Ordering::Relaxed;

use crate::base::atomic::swap::AtomicU32;
use crate::base::atomic::{array_of, const_unless_model};
use crate::base::watch::hardened::{Fault, IS_HARDENED};

/// Of one slot.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Mark([AtomicU32; IS_HARDENED as usize]);

/// Never used. (All zeros, so that a static is in `.bss`.)
const FRESH: u32 = 0;
/// Freed, and filled if anything is.
const FREED: u32 = 1;
/// In use.
const OCCUPIED: u32 = 2;

impl Mark {
    const_unless_model! {
        /// Of a slot that was never used.
        pub(crate) const fn new() -> Self {
            Self(array_of!(AtomicU32::new(FRESH); IS_HARDENED as usize))
        }
    }

    /// Replaces the mark if `is_before` accepts it. Returns the old one, as an error if it stays; `None` where slots have no marks.
    fn replace(&self, new: u32, is_before: impl Fn(u32) -> bool) -> Option<Result<u32, u32>> {
        let replace = |before| is_before(before).then_some(new);
        Some(self.0.first()?.fetch_update(Relaxed, Relaxed, replace))
    }

    /// The slot has been taken; returns whether it was filled before.
    pub(crate) fn occupy(&self) -> bool {
        self.replace(OCCUPIED, |_| true) == Some(Ok(FREED))
    }

    /// The slot is being given back, and will be filled; refused if it is not occupied.
    pub(crate) fn vacate(&self) -> Result<(), Fault> {
        match self.replace(FREED, |before| before == OCCUPIED) {
            Some(Err(_)) => Err(Fault::Vacant),
            _ => Ok(()),
        }
    }

    /// Whether the slot is occupied; `None` if that is not known.
    pub(crate) fn is_occupied(&self) -> Option<bool> {
        self.0.first().map(|word| word.load(Relaxed) == OCCUPIED)
    }
}
