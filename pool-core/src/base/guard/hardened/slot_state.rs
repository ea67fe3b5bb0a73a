//! The state of a slot in a pool of a fixed capacity.
//!
//! The thread that gives the slot back exchanges it, so if two threads free the same slot, one is refused. It
//! needs no memory order: only the thread that has the slot reads it, and slots go from thread to thread as
//! `derived/fixed/free.rs` says.

use core::sync::atomic::Ordering;

use crate::base::atomic::const_unless_model;
use crate::base::atomic::swap::{AtomicBits, Bits};
use crate::base::guard::hardened::Fault;

/// Whether a slot is occupied.
#[derive(Debug)]
pub(crate) struct SlotState(AtomicBits);

/// Never used, and not filled.
const FRESH: Bits = 0;
const OCCUPIED: Bits = 1;
/// Freed, and filled.
const FREED: Bits = 2;

impl SlotState {
    const_unless_model! {
        /// The state of a slot that was never used.
        pub(crate) const fn new() -> Self {
            Self(AtomicBits::new(FRESH))
        }
    }

    /// Puts `new` in the place of `current`; returns whether that was there.
    fn exchange(&self, current: Bits, new: Bits) -> bool {
        self.0.compare_exchange(current, new, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The slot has been taken; returns whether it was filled before.
    pub(crate) fn occupy(&self) -> bool {
        if self.exchange(FRESH, OCCUPIED) {
            return false;
        }
        self.exchange(FREED, OCCUPIED);
        true
    }

    /// The slot is being given back, and will be filled; refused if it is not occupied.
    pub(crate) fn vacate(&self) -> Result<(), Fault> {
        if self.exchange(OCCUPIED, FREED) { Ok(()) } else { Err(Fault::Vacant) }
    }

    /// Whether the slot is occupied; `None` if that is not known.
    pub(crate) fn is_occupied(&self) -> Option<bool> {
        Some(self.0.load(Ordering::Relaxed) == OCCUPIED)
    }
}
