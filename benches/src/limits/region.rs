//! Memory for slots: one region, handed out from below.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{NonNull, null_mut};
use std::alloc::{alloc, handle_alloc_error};

/// Enough for each workload. The system maps pages on first touch, so the rest costs nothing.
const BYTES: usize = 128 << 20;

/// Never-used slots by a bump pointer.
pub(super) struct Region {
    bump: Cell<*mut u8>,
    end: Cell<*mut u8>,
}

impl Region {
    /// Without memory; the first slot fetches it.
    pub(super) const fn new() -> Self {
        Self { bump: Cell::new(null_mut()), end: Cell::new(null_mut()) }
    }

    /// Hands out the next slot that was never used. All have the same size.
    #[inline(always)]
    pub(super) fn fresh(&self, bytes: usize) -> NonNull<u8> {
        if !self.has_fresh() {
            self.open(bytes);
        }
        let slot = self.bump.get();
        self.bump.set(slot.wrapping_add(bytes));
        // SAFETY: an open region lies at no null address.
        unsafe { NonNull::new_unchecked(slot) }
    }

    /// Whether `fresh` needs no new memory.
    #[inline(always)]
    pub(super) fn has_fresh(&self) -> bool {
        self.bump.get() != self.end.get()
    }

    /// `extern "C"`, so that callers know that it does not unwind and prepare nothing for it.
    #[cold]
    #[inline(never)]
    extern "C" fn open(&self, bytes: usize) {
        assert!(self.bump.get().is_null(), "a limit's region is used up");
        // Whole slots only, so that the bump pointer meets the end.
        let size = BYTES - BYTES % bytes;
        let layout = Layout::from_size_align(size, 4096).expect("a size in bounds");
        // SAFETY: the size is not zero.
        let memory = unsafe { alloc(layout) };
        if memory.is_null() {
            handle_alloc_error(layout);
        }
        self.bump.set(memory);
        self.end.set(memory.wrapping_add(size));
    }
}
