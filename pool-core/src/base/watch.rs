//! Watchers of the use of a pool's memory: checks of this crate's own ([`hardened`]), AddressSanitizer and Valgrind
//! ([`sanitizer`]), which find misuse; and the lines that make elements ([`sites`]).
//!
//! The rest of the crate says what happens to memory: handed out, taken back, filled, poisoned. Where
//! slots are watched one by one, each has a [`Mark`]. A watcher that is off has no size, and a constant that is `false`, so it
//! compiles to nothing.

pub(crate) mod hardened;
pub(crate) mod sanitizer;
pub(crate) mod sites;
pub(crate) mod valgrind;

use core::sync::atomic::Ordering::Relaxed;

use crate::base::atomic::swap::AtomicU32;
use crate::base::atomic::{array_of, const_unless_model};
use crate::base::watch::hardened::{Fault, IS_HARDENED};

/// Whether a pointer is checked before its slot is taken back.
pub(crate) const IS_CHECKED: bool = IS_HARDENED || cfg!(debug_assertions);

/// Whether slots are watched one by one, each when it is handed out and when it is taken back.
pub(crate) const IS_WATCHED: bool = IS_HARDENED || valgrind::IS_ON;

/// The mark beside each slot, with `hardened`: whether the slot is occupied.
///
/// The marks of a chunk lie between its header and its slots; the mark of a slot in a static, in its link. They need no memory
/// ordering: only a slot's owner changes its mark, and the pool orders the change of owners. But a slot's mark is
/// *exchanged* when the slot is given back, so if two threads free one slot, one of them is refused.
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
        /// The mark of a slot that was never used.
        pub(crate) const fn new() -> Self {
            Self(array_of!(AtomicU32::new(FRESH); IS_HARDENED as usize))
        }
    }

    /// Replaces the mark if `is_before` accepts it. Returns the old one, as an error if it stays; `None` where slots have no marks.
    #[inline]
    fn replace(&self, new: u32, is_before: impl Fn(u32) -> bool) -> Option<Result<u32, u32>> {
        let replace = |before| is_before(before).then_some(new);
        Some(self.0.first()?.fetch_update(Relaxed, Relaxed, replace))
    }

    /// The slot has been taken; returns whether it was filled before.
    #[inline]
    pub(crate) fn occupy(&self) -> bool {
        self.replace(OCCUPIED, |_| true) == Some(Ok(FREED))
    }

    /// The slot is being given back, and will be filled; refused if it is not occupied.
    #[inline]
    pub(crate) fn vacate(&self) -> Result<(), Fault> {
        match self.replace(FREED, |before| before == OCCUPIED) {
            Some(Err(_)) => Err(Fault::Vacant),
            _ => Ok(()),
        }
    }

    /// Whether the slot is occupied; `None` if that is not known.
    #[inline]
    pub(crate) fn is_occupied(&self) -> Option<bool> {
        self.0.first().map(|word| word.load(Relaxed) == OCCUPIED)
    }
}
