//! In place of `huge.rs` where the system is not asked for huge pages.

use core::alloc::Layout;

#[inline(always)]
pub(crate) fn aligned(block: Layout) -> Layout {
    block
}

#[inline(always)]
pub(crate) fn advise(_: *mut u8, _: Layout) {}
