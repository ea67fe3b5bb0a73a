//! Handles that are given out while threads read a roster.
//!
//! While nobody has the roster exclusively, its vacant slots stay as they are. So these handles are those of the first vacant slots, and one
//! word says how many were given out. Each reader that asks for a handle replaces the word. Whoever has the roster exclusively next
//! takes these slots first; the roster's lock shows it the word.

use core::sync::atomic::Ordering;

use crate::base::atomic::const_unless_model;
use crate::base::atomic::swap::{AtomicBits, Bits};

/// Bits of a half of the word.
const HALF: u32 = Bits::BITS / 2;
const LOWER: Bits = (1 << HALF) - 1;

/// In the upper half how many handles were given out, in the lower half the number behind the last one's slot.
pub(crate) struct Ahead(AtomicBits);

impl Ahead {
    const_unless_model! {
        pub(crate) const fn new() -> Self {
            Self(AtomicBits::new(0))
        }
    }

    /// Whether handles were given out. For the thread that has the roster exclusively.
    #[inline(always)]
    pub(crate) fn is_any(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Gives out one more. `find` finds a slot and its handle: the first that is vacant from a number on, behind so many that were given
    /// out. `None` if it finds none, or if the slot's number is too large for half a word. For a thread that reads the roster.
    pub(crate) fn give_out<H>(
        &self,
        mut find: impl FnMut(usize, usize) -> Option<(usize, H)>,
    ) -> Option<H> {
        let mut given = None;
        let mut one_more = |before: Bits| {
            let count = before >> HALF;
            let (slot, handle) = find((before & LOWER) as usize, count as usize)?;
            let behind = Bits::try_from(slot).ok()? + 1;
            given = Some(handle);
            (behind <= LOWER).then_some((count + 1) << HALF | behind)
        };
        let relaxed = Ordering::Relaxed;
        if cfg!(pool_seed_two_steps) {
            self.0.store(one_more(self.0.load(relaxed))?, relaxed);
            return given;
        }
        self.0.fetch_update(relaxed, relaxed, one_more).ok()?;
        given
    }

    /// How many were given out, and the number behind the last one's slot. There are none from here on. For the thread that has the roster
    /// exclusively.
    pub(crate) fn take(&self) -> (usize, usize) {
        let word = self.0.load(Ordering::Relaxed);
        self.0.store(0, Ordering::Relaxed);
        ((word >> HALF) as usize, (word & LOWER) as usize)
    }
}
