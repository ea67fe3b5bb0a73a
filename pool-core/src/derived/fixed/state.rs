//! The state of each slot in a pool of a fixed capacity, which lies beside its link: see `base/guard/hardened`.

use core::ptr::NonNull;

use crate::base::guard::hardened::{self, Fault, SlotState};

/// The slot has been taken. An error if it was written to while it was free.
#[inline(always)]
pub(super) fn occupy<T>(state: &SlotState, slot: NonNull<T>) -> Result<(), Fault> {
    if !state.occupy() {
        return Ok(());
    }
    // SAFETY: it was filled when it was freed (`vacate`).
    unsafe { hardened::check_fill(slot.as_ptr().cast(), size_of::<T>()) }
}

/// The slot is being given back. A fault if it is not occupied.
///
/// # Safety
///
/// If it is, then nothing uses it any more.
#[inline(always)]
pub(super) unsafe fn vacate<T>(state: &SlotState, slot: NonNull<T>) -> Result<(), Fault> {
    state.vacate()?;
    // SAFETY: passed on from the caller.
    unsafe { hardened::fill(slot.as_ptr().cast(), size_of::<T>()) };
    Ok(())
}
