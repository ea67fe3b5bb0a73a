//! The feature `hardened` in a pool of a fixed capacity: the state of every slot, one word beside its
//! link.
//!
//! The word is exchanged by who gives the slot back, so that of two threads which free the same slot one
//! is refused. No order is asked of it: it is read by who has the slot, and slots go from thread to
//! thread as `free.rs` says.

use core::ptr::NonNull;

use crate::base::guard::hardened::{self, Fault};
use crate::base::word::{Bits, Ordering, Word};
use crate::derived::fixed::{Arrangement, Fixed};

/// Never used, and full of whatever it was made with.
const FRESH: Bits = 0;
pub(super) const OCCUPIED: Bits = 1;
/// Freed, and filled.
const FREED: Bits = 2;

/// Puts `new` in the place of `current`; says what is there if that is something else.
fn exchange(word: &Word, current: Bits, new: Bits) -> Result<(), Bits> {
    loop {
        match word.replace(current, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return Ok(()),
            // Without a reason.
            Err(found) if found == current => {}
            Err(found) => return Err(found),
        }
    }
}

impl<A: Arrangement> Fixed<A> {
    pub(super) fn state_of(&self, number: u32) -> &Word {
        &self.slots.link(number).state
    }

    /// The slot has been taken. Panics if somebody has written to it while it was free; then it is free again,
    /// and filled.
    #[track_caller]
    pub(super) fn occupy(&self, number: u32, slot: *mut A::Element) {
        let state = self.state_of(number);
        if exchange(state, FRESH, OCCUPIED).is_ok() {
            return;
        }
        let _ = exchange(state, FREED, OCCUPIED);
        // SAFETY: it was filled when it was freed (`vacate`).
        let found = unsafe { hardened::look(slot.cast(), size_of::<A::Element>()) };
        if let (Err(fault), Some(taken)) = (found, NonNull::new(slot)) {
            // SAFETY: it was taken, and given to nobody.
            unsafe { self.put(taken) };
            fault.panic(slot);
        }
    }

    /// The slot is being given back. Panics if it is not occupied.
    ///
    /// # Safety
    ///
    /// If it is, then nobody uses it any more.
    pub(super) unsafe fn vacate(&self, number: u32, slot: NonNull<A::Element>) {
        if exchange(self.state_of(number), OCCUPIED, FREED).is_err() {
            Fault::Vacant.panic(slot.as_ptr());
        }
        // SAFETY: passed on from the caller.
        unsafe { hardened::fill(slot.as_ptr().cast(), size_of::<A::Element>()) };
    }
}
