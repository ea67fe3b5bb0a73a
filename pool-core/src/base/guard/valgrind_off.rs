//! In place of `valgrind.rs` in a program that tells Valgrind nothing.

/// Whether Valgrind is told of memory.
pub(crate) const IS_ON: bool = false;

/// No bytes are between a chunk's header and its slots.
pub(crate) const RED_ZONE: usize = 0;

/// A place in a block: its address.
#[derive(Clone, Copy)]
pub(crate) struct Hidden(*mut u8);

impl Hidden {
    #[inline(always)]
    pub(crate) fn new(block: *mut u8, offset: usize) -> Self {
        Self(block.wrapping_add(offset))
    }

    #[inline(always)]
    pub(crate) fn get(self) -> *mut u8 {
        self.0
    }
}

#[inline(always)]
pub(super) fn forbid(_: *mut u8, _: usize) {}

#[inline(always)]
pub(super) fn allow(_: *mut u8, _: usize) {}

#[inline(always)]
pub(super) fn reveal(_: *mut u8, _: usize) {}

#[inline(always)]
pub(crate) fn create(_: *mut u8, _: usize, _: usize) {}

#[inline(always)]
pub(crate) fn destroy(_: *mut u8, _: usize, _: usize) {}

#[inline(always)]
pub(crate) fn empty(_: *const u8, _: usize) {}

#[inline(always)]
pub(crate) fn hand_out(_: *const u8, _: *mut u8, _: usize) {}

#[inline(always)]
pub(crate) fn take_back(_: *const u8, _: *mut u8) {}

#[inline(always)]
pub(crate) fn hand_out_static(_: *mut u8, _: usize) {}

#[inline(always)]
pub(crate) fn take_static_back(_: *mut u8) {}
