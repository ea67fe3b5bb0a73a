//! Huge pages, for which Linux is asked.

use core::alloc::Layout;

/// The size of a huge page where a page is 4 KiB. Elsewhere it differs, and the advice helps less.
const HUGE: usize = 2 * 1024 * 1024;

/// The layout of a block of memory for which [`advise`] can ask; unchanged if the block is small.
pub(crate) fn aligned(block: Layout) -> Layout {
    if block.size() < HUGE {
        return block;
    }
    block.align_to(HUGE).unwrap_or(block)
}

/// Asks the system for huge pages under a new block, if the program wants them.
pub(crate) fn advise(start: *mut u8, block: Layout) {
    if block.align() >= HUGE {
        // The rest, at the end, shares its page with other memory.
        let whole = block.size() / HUGE * HUGE;
        // SAFETY: the advice changes how memory is backed, never what is in it. Where it is refused
        // nothing has changed.
        unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
    }
}
