//! Huge pages, for which Linux is asked.

use core::alloc::Layout;
use core::ffi::{c_int, c_void};

#[cfg_attr(not(feature = "std"), path = "huge/opt_out_off.rs")]
mod opt_out;

/// The size of a huge page where a page is 4 KiB. Elsewhere it differs, and the advice helps less.
const HUGE: usize = 2 * 1024 * 1024;

/// Linux's number of the advice, on all architectures.
const MADV_HUGEPAGE: c_int = 14;

// The only function that is needed of the C library, which std links. The crate `libc` takes a fifth of the time that this crate
// takes to build.
#[cfg_attr(not(feature = "std"), link(name = "c"))]
unsafe extern "C" {
    fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
}

/// The layout of a block of memory for which [`advise`] can ask; unchanged if the block is small, or the environment
/// opts out. The same for as long as the process runs.
pub(crate) fn aligned(block: Layout) -> Layout {
    let rest = block.size() % HUGE;
    let size = if rest > HUGE / 4 * 3 { block.size() - rest + HUGE } else { block.size() };
    if size < HUGE || opt_out::is_opted_out() {
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
