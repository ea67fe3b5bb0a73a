//! The state of each slot in a pool of a fixed capacity, which lies beside its link: see `base/guard/hardened`.

use core::ptr::NonNull;

use crate::base::guard::hardened::{self, SlotState};
use crate::derived::fixed::{Arrangement, Fixed};

impl<A: Arrangement> Fixed<A> {
    #[inline(always)]
    pub(super) fn state_of(&self, number: u32) -> &SlotState {
        &self.slots.link(number).state
    }

    /// The slot has been taken. Panics if somebody has written to it while it was free; then it is free again,
    /// and filled.
    #[inline(always)]
    #[track_caller]
    pub(super) fn occupy(&self, number: u32, slot: *mut A::Element) {
        if !self.state_of(number).occupy() {
            return;
        }
        // SAFETY: it was filled when it was freed (`vacate`).
        let found = unsafe { hardened::check_fill(slot.cast(), size_of::<A::Element>()) };
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
    #[inline(always)]
    pub(super) unsafe fn vacate(&self, number: u32, slot: NonNull<A::Element>) {
        if let Err(fault) = self.state_of(number).vacate() {
            fault.panic(slot.as_ptr());
        }
        // SAFETY: passed on from the caller.
        unsafe { hardened::fill(slot.as_ptr().cast(), size_of::<A::Element>()) };
    }
}
