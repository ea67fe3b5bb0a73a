//! In place of `tracy.rs` in a program that tells Tracy nothing.

use core::alloc::Layout;

/// Whether Tracy is told of elements.
pub(crate) const IS_ON: bool = false;

#[inline(always)]
pub(crate) fn hand_out(_: *const u8, _: usize, _: &'static str) {}

#[inline(always)]
pub(crate) fn take_back(_: *const u8, _: &'static str) {}

/// Nothing is told.
pub(crate) struct Told;

impl Told {
    pub(crate) const NOTHING: Self = Self;

    #[inline(always)]
    pub(crate) fn hand_out(&self, _: *const u8, _: usize, _: Layout, _: &'static str) {}

    #[inline(always)]
    pub(crate) fn take_back(&self, _: *const u8) {}

    #[inline(always)]
    pub(crate) fn take_all_back(&self, _: impl Iterator<Item = (*mut u8, usize)>) {}
}
