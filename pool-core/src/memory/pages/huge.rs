//! Linux' huge pages, for which the system is asked.

use core::alloc::Layout;

/// Their size where a page is 4 KiB. Elsewhere it is another, and advice then helps less.
const HUGE: usize = 2 * 1024 * 1024;

/// The layout of a block of memory that [`advise`] can do something for: the same if it is small.
pub(crate) fn aligned(block: Layout) -> Layout {
    if block.size() < HUGE {
        return block;
    }
    block.align_to(HUGE).unwrap_or(block)
}

/// Asks the system for huge pages under a new block, if the program wants them.
pub(crate) fn advise(start: *mut u8, block: Layout) {
    if block.align() >= HUGE {
        // What is left at the end shares its pages with others, who were not asked.
        let whole = block.size() / HUGE * HUGE;
        // SAFETY: the advice changes how memory is backed, never what is in it. Where it is refused
        // nothing has changed.
        unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
    }
}
