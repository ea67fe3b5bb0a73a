//! In place of `thread_number.rs` where it is not known how to ask.

use core::num::NonZeroU32;

pub(crate) fn current() -> Option<NonZeroU32> {
    None
}

#[cfg_attr(not(target_vendor = "apple"), expect(unused, reason = "for `lock.rs`"))]
pub(crate) fn keep() {}

pub(crate) fn current_name() -> [u8; 16] {
    [0; 16]
}

pub(crate) fn name_of(_: NonZeroU32) -> [u8; 16] {
    [0; 16]
}

pub(crate) fn kept() -> Option<NonZeroU32> {
    None
}
