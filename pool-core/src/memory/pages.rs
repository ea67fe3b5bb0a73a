//! The system's pages under a pool's chunks: huge ones, and brought in ahead of use.
//!
//! The first use of a page is a fault, which takes about a microsecond for 4 KiB: most of what a million new objects
//! cost.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::watch::hardened::{FILL, IS_HARDENED};
use crate::base::watch::sanitizer;
use crate::memory::heap;

#[cfg(all(feature = "huge-pages", feature = "std", target_os = "linux"))]
mod huge;
#[cfg(not(all(feature = "huge-pages", feature = "std", target_os = "linux")))]
mod huge {
    use core::alloc::Layout;

    pub(crate) fn aligned(block: Layout) -> Layout {
        block
    }

    pub(crate) fn advise(_: *mut u8, _: Layout) {}
}

pub(crate) use huge::{advise, aligned};

/// The smallest size of a page. A larger one is touched more than once, which does no harm.
const PAGE: usize = 4096;

/// A block for a pool, of a layout from [`aligned`]; `None` if the heap has no room.
pub(crate) fn alloc(layout: Layout) -> Option<NonNull<u8>> {
    let block = heap::alloc(layout)?;
    advise(block.as_ptr(), layout);
    Some(block)
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
        // Volatile, since the compiler would see no reason for the write.
        // SAFETY: the byte may be written (caller).
        unsafe { page.write_volatile(if IS_HARDENED { FILL } else { 0 }) };
        offset += PAGE - page.addr() % PAGE;
    }
}
