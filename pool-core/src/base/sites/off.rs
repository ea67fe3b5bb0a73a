//! In place of `on.rs` in a program without the feature `sites`: all of it is empty.

use core::alloc::Layout;

/// Whether each live element knows the line that made it.
pub(crate) const IS_SITED: bool = false;

/// No line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line;

impl Line {
    pub(crate) const NONE: Self = Self;

    #[inline(always)]
    pub(crate) fn of_caller() -> Self {
        Self
    }
}

/// Nothing is kept.
pub(crate) struct ChunkSites;

impl ChunkSites {
    pub(crate) fn layout(_: usize) -> Option<Layout> {
        Some(Layout::new::<()>())
    }

    #[inline(always)]
    pub(crate) unsafe fn new(_: *mut u8, _: usize) -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) unsafe fn set(&self, _: usize, _: Line) {}

    #[inline(always)]
    pub(crate) unsafe fn clear(&self, _: usize) {}
}

/// Nothing is kept.
#[derive(Debug)]
pub(crate) struct FixedSites<const N: usize>;

impl<const N: usize> FixedSites<N> {
    #[allow(clippy::declare_interior_mutable_const, reason = "with the feature it is")]
    pub(crate) const NONE: Self = Self;

    #[inline(always)]
    pub(crate) fn set(&self, _: usize, _: Line) {}
}

/// Nothing is kept.
#[derive(Debug)]
pub(crate) struct RosterSites;

impl RosterSites {
    pub(crate) const fn new() -> Self {
        Self
    }

    pub(crate) fn bytes(&self) -> usize {
        0
    }

    pub(crate) fn room(&self, _: usize) -> Result<Self, Layout> {
        Ok(Self)
    }

    pub(crate) fn truncate(&mut self, _: usize) {}

    pub(crate) fn shrink(&mut self) {}

    pub(crate) fn spare(&self, _: usize) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn get(&self, _: u32) -> Line {
        Line
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, _: u32, _: Line) {}
}
