//! In place of `last_call.rs` where std's own destructors come last, or it is not known what comes after them.

use core::ffi::c_void;

/// Whether there is one.
pub(super) const IS_CALLED: bool = false;

/// Not asked for.
pub(super) const ROUNDS: u8 = 1;

pub(super) fn in_next_round(_: extern "C" fn(*mut c_void)) -> bool {
    true
}
