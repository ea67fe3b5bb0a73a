//! In place of `thread_number.rs` where it is not known how to ask.

use core::num::NonZeroU32;

pub(crate) fn current() -> Option<NonZeroU32> {
    None
}

#[cfg_attr(not(target_vendor = "apple"), expect(unused, reason = "for `lock.rs`"))]
pub(crate) fn keep() {}

pub(crate) fn kept() -> Option<NonZeroU32> {
    None
}
