//! The system's pages under a pool's chunks: huge ones, and brought in ahead of use.
//!
//! The first use of a page is a fault, which takes about a microsecond for 4 KiB: most of what a million new objects
//! cost.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::watch::hardened::{FILL, IS_HARDENED};
use crate::base::watch::sanitizer;
use crate::memory::heap;

/// Huge pages, for which Linux is asked.
#[cfg(all(feature = "huge-pages", feature = "std", target_os = "linux"))]
mod huge {
    use core::alloc::Layout;
    use core::ffi::{c_int, c_void};

    /// The size of a huge page where a page is 4 KiB. Elsewhere it differs, and the advice helps less.
    const HUGE: usize = 2 * 1024 * 1024;

    /// Linux's number of the advice, on all architectures.
    const MADV_HUGEPAGE: c_int = 14;

    // The only function that is needed of the C library, which std links. The crate `libc` takes a fifth of the time that this
    // crate takes to build.
    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }

    /// The layout of a block of memory for which [`advise`] can ask; unchanged if the block is small.
    pub(crate) fn aligned(block: Layout) -> Layout {
        let rest = block.size() % HUGE;
        let size = if rest > HUGE / 4 * 3 { block.size() - rest + HUGE } else { block.size() };
        if size < HUGE {
            return block;
        }
        Layout::from_size_align(size, block.align().max(HUGE)).unwrap_or(block)
    }

    /// Asks the system for huge pages under a new block, if [`aligned`] has prepared it.
    pub(crate) fn advise(start: *mut u8, block: Layout) {
        if block.align() >= HUGE {
            // The rest, at the end, shares its page with other memory.
            let whole = block.size() / HUGE * HUGE;
            // SAFETY: the advice changes how memory is backed, never what is in it. Where it is refused
            // nothing has changed.
            unsafe { madvise(start.cast(), whole, MADV_HUGEPAGE) };
        }
    }
}
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
