//! The system's pages under a pool's chunks: huge ones on request, and brought in ahead of use.
//!
//! A page that is used for the first time is a fault, of about a microsecond for 4 KiB: most of what
//! a million new objects cost.

use core::alloc::Layout;

use crate::base::guard::hardened::{FILL, IS_HARDENED};
use crate::base::guard::sanitizer;

/// The smallest pages that there are. Larger ones are merely touched more than once.
const PAGE: usize = 4096;

/// Linux' huge pages, where a page is 4 KiB. Elsewhere the size is another, and advice then helps less.
#[cfg(all(feature = "huge-pages", target_os = "linux"))]
const HUGE: usize = 2 * 1024 * 1024;

/// The layout of a block of memory that [`advise`] can do something for: the same if it is small.
pub(crate) fn aligned(block: Layout) -> Layout {
    #[cfg(all(feature = "huge-pages", target_os = "linux"))]
    if block.size() >= HUGE {
        return block.align_to(HUGE).unwrap_or(block);
    }
    block
}

/// Asks the system for huge pages under a new block, if the program wants them.
pub(crate) fn advise(start: *mut u8, block: Layout) {
    #[cfg(all(feature = "huge-pages", target_os = "linux"))]
    if block.align() >= HUGE {
        // What is left at the end shares its pages with others, who were not asked.
        let whole = block.size() / HUGE * HUGE;
        // SAFETY: the advice changes how memory is backed, never what is in it. Where it is refused
        // nothing has changed.
        unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
    }
    #[cfg(not(all(feature = "huge-pages", target_os = "linux")))]
    let _ = (start, block);
}

/// Brings in the pages of memory that holds nothing, by writing to each.
///
/// # Safety
///
/// The bytes may be written and hold nothing. The sanitizer takes them for used from here on.
pub(crate) unsafe fn touch(start: *mut u8, bytes: usize) {
    sanitizer::unpoison(start, bytes);
    let mut offset = 0;
    while offset < bytes {
        // Inside of the memory that was named.
        let page = start.wrapping_add(offset);
        // SAFETY: the byte may be written (caller). Volatile, or nobody would see the reason for it.
        unsafe { page.write_volatile(if IS_HARDENED { FILL } else { 0 }) };
        offset += PAGE - page.addr() % PAGE;
    }
}
