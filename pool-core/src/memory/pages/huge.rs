//! Huge pages, for which Linux is asked.
//!
//! The variable `TYPED_POOL_HUGE_PAGES=0` in the environment opts out. It is read from `/proc`, which has the environment as the process
//! was started. `getenv` races with foreign code's `setenv`. `std::env::var_os` allocates with a lock held, and the heap may be a user of
//! pools that is called by std with that lock held. Opening and reading a file does neither.

use core::alloc::Layout;
use core::ffi::{c_int, c_void};
use core::sync::atomic::{AtomicU8, Ordering};
use std::fs::File;
use std::io::Read;

/// The size of a huge page where a page is 4 KiB. Elsewhere it differs, and the advice helps less.
const HUGE: usize = 2 * 1024 * 1024;

/// Linux's number of the advice, on all architectures.
const MADV_HUGEPAGE: c_int = 14;

// The only function that is needed of the C library, which std links. The crate `libc` takes a fifth of the time that this crate
// takes to build.
unsafe extern "C" {
    fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
}

/// The layout of a block of memory for which [`advise`] can ask; unchanged if the block is small, or the environment
/// opts out. The same for as long as the process runs.
pub(crate) fn aligned(block: Layout) -> Layout {
    let rest = block.size() % HUGE;
    let size = if rest > HUGE / 4 * 3 { block.size() - rest + HUGE } else { block.size() };
    if size < HUGE || is_opted_out() {
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

/// The setting in the environment, behind the zero byte that ends the variable before it.
const OPT_OUT: &[u8] = b"\0TYPED_POOL_HUGE_PAGES=0\0";

/// Whether the environment opts out. Read once: the answer never changes, since a block is freed with the layout with
/// which it was allocated. (No `OnceLock`: if another thread is about to fill one during a `fork`, the child waits for ever.)
fn is_opted_out() -> bool {
    /// 0 is none, 1 yes, 2 no.
    static ANSWER: AtomicU8 = AtomicU8::new(0);
    let relaxed = Ordering::Relaxed;
    let mut answer = ANSWER.load(relaxed);
    if answer == 0 {
        answer = if File::open("/proc/self/environ").is_ok_and(opts_out) { 1 } else { 2 };
        // The first answer counts.
        answer = ANSWER
            .compare_exchange(0, answer, relaxed, relaxed)
            .map_or_else(|first| first, |_| answer);
    }
    answer == 1
}

/// Whether the variable is among these.
fn opts_out(mut environment: impl Read) -> bool {
    let mut buffer = [0; 512];
    // As if the first variable came behind another.
    let mut matched = 1;
    loop {
        let count = environment.read(&mut buffer).unwrap_or(0);
        if count == 0 {
            return false;
        }
        for &byte in &buffer[..count] {
            // Zero bytes are at both ends of what is searched for, and nowhere else.
            matched = if byte == OPT_OUT[matched] { matched + 1 } else { usize::from(byte == 0) };
            if matched == OPT_OUT.len() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests;
