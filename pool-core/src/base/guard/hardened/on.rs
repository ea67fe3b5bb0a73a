//! The checks of the feature `hardened`.

use core::cell::Cell;
use core::slice;

use crate::base::guard::hardened::{FILL, Fault};
use crate::base::guard::sanitizer;

mod marks;
mod quarantine;
pub(crate) mod sealed_link;
mod slot_state;

pub(crate) use marks::Marks;
pub(crate) use quarantine::Quarantine;
pub(crate) use slot_state::SlotState;

/// Whether the state of every slot is known.
pub(crate) const IS_HARDENED: bool = true;

/// Fills memory that is free.
///
/// # Safety
///
/// The bytes are the pool's, for writing.
#[inline(always)]
pub(crate) unsafe fn fill(start: *mut u8, bytes: usize) {
    // SAFETY: passed on from the caller.
    unsafe { start.write_bytes(FILL, bytes) };
}

/// Whether the `bytes` bytes of a slot that is about to be handed out are what [`fill`] wrote.
///
/// # Safety
///
/// The slot is the caller's, and was filled.
pub(crate) unsafe fn check_fill(slot: *mut u8, bytes: usize) -> Result<(), Fault> {
    sanitizer::reveal(slot, bytes);
    // SAFETY: the slot is nobody else's, and all its bytes were written to when it was filled (caller).
    let all = unsafe { slice::from_raw_parts(slot, bytes) };
    // The loop has no early exit, so that it can take many bytes at a time.
    let differs = all.iter().fold(0, |differs, byte| differs | (byte ^ FILL)) != 0;
    let first = if differs { all.iter().position(|&byte| byte != FILL) } else { None };
    let found =
        first.map(|offset| Fault::Overwritten { offset: offset as isize, found: all[offset] });
    sanitizer::unpoison(slot, bytes);
    found.map_or(Ok(()), Err)
}

/// The most slots that were ever live. The strategy cannot tell: to it those in quarantine are live.
pub(crate) struct Peak(Cell<usize>);

impl Peak {
    pub(crate) const fn new() -> Self {
        Self(Cell::new(0))
    }

    /// Takes note of how many slots are live.
    pub(crate) fn note(&self, live: usize) {
        self.0.set(self.0.get().max(live));
    }

    /// The most that were; `None` if that is not known here.
    pub(crate) fn get(&self) -> Option<usize> {
        Some(self.0.get())
    }
}
