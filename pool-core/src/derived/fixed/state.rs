//! The feature `hardened` in a pool of a fixed capacity: the state of every slot, one word beside its
//! link.
//!
//! Whoever gives the slot back exchanges the word, so of two threads that free the same slot one
//! is refused. It needs no order: it is read by the thread that has the slot, and slots go from thread to
//! thread as `free.rs` says.

use core::ptr::NonNull;

use crate::base::guard::hardened::{self, Fault};
use crate::base::word::{AtomicWord, Ordering, WordBits};

/// Never used, and full of whatever it was made with.
const FRESH: WordBits = 0;
const OCCUPIED: WordBits = 1;
/// Freed, and filled.
const FREED: WordBits = 2;

/// Replaces `current` by `new`; `false` if something else is there.
fn exchange(state: &AtomicWord, current: WordBits, new: WordBits) -> bool {
    loop {
        match state.replace(current, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            // A spurious failure.
            Err(found) if found == current => {}
            Err(_) => return false,
        }
    }
}

pub(super) fn is_occupied(state: &AtomicWord) -> bool {
    state.load(Ordering::Relaxed) == OCCUPIED
}

/// The slot has been taken. Says whether somebody has written to it while it was free.
pub(super) fn occupy<T>(state: &AtomicWord, slot: NonNull<T>) -> Result<(), Fault> {
    if exchange(state, FRESH, OCCUPIED) {
        return Ok(());
    }
    exchange(state, FREED, OCCUPIED);
    // SAFETY: it was filled when it was freed (`vacate`).
    unsafe { hardened::look(slot.as_ptr().cast(), size_of::<T>()) }
}

/// The slot is being given back. A fault if it is not occupied.
///
/// # Safety
///
/// If it is, then nobody uses it any more.
pub(super) unsafe fn vacate<T>(state: &AtomicWord, slot: NonNull<T>) -> Result<(), Fault> {
    if !exchange(state, OCCUPIED, FREED) {
        return Err(Fault::Vacant);
    }
    // SAFETY: passed on from the caller.
    unsafe { hardened::fill(slot.as_ptr().cast(), size_of::<T>()) };
    Ok(())
}
