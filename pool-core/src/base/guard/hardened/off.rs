//! In place of `on.rs` in a program without the feature `hardened`: all of it is empty.

use core::alloc::Layout;

use crate::base::guard::hardened::Fault;

/// Whether the state of every slot is known.
pub(crate) const IS_HARDENED: bool = false;

#[inline(always)]
pub(crate) unsafe fn fill(_: *mut u8, _: usize) {}

#[inline(always)]
pub(crate) unsafe fn check_fill(_: *mut u8, _: usize) -> Result<(), Fault> {
    Ok(())
}

/// No mark is kept.
pub(crate) struct Marks;

impl Marks {
    pub(crate) fn layout(_: usize) -> Option<Layout> {
        Some(Layout::new::<()>())
    }

    #[inline(always)]
    pub(crate) unsafe fn new(_: *mut u8, _: usize) -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) unsafe fn get(&self, _: usize) -> Option<bool> {
        None
    }

    #[inline(always)]
    pub(crate) unsafe fn set(&self, _: usize, _: bool) {}

    #[inline(always)]
    pub(crate) unsafe fn clear(&self, _: usize) {}
}

/// Nothing is noted.
pub(crate) struct Peak;

impl Peak {
    pub(crate) const fn new() -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) fn note(&self, _: usize) {}

    #[inline(always)]
    pub(crate) fn get(&self) -> Option<usize> {
        None
    }
}

/// No slot waits.
pub(crate) struct Quarantine;

impl Quarantine {
    pub(crate) const EMPTY: Self = Self;

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        0
    }

    #[inline(always)]
    pub(crate) fn push(&self, slot: *mut u8) -> Option<*mut u8> {
        Some(slot)
    }

    #[inline(always)]
    pub(crate) fn pop(&self) -> Option<*mut u8> {
        None
    }

    pub(crate) fn holds(&self, _: *mut u8) -> bool {
        false
    }

    pub(crate) fn for_each(&self, _: &mut dyn FnMut(*mut u8)) {}
}

/// Not kept.
#[derive(Debug)]
pub(crate) struct SlotState;

impl SlotState {
    pub(crate) const fn new() -> Self {
        Self
    }

    #[inline(always)]
    pub(crate) fn occupy(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn vacate(&self) -> Result<(), Fault> {
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn is_occupied(&self) -> Option<bool> {
        None
    }
}

/// Links lie bare.
pub(crate) mod sealed_link {
    #[inline(always)]
    pub(crate) fn encode(next: usize, _: usize) -> usize {
        next
    }

    #[inline(always)]
    pub(crate) fn decode(link: usize, _: usize) -> usize {
        link
    }
}
