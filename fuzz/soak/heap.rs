//! A heap that refuses at random, where it is asked to.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

struct Heap;

#[global_allocator]
static HEAP: Heap = Heap;

/// Requests that were refused, in all threads.
pub(crate) static REFUSALS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The size above which this thread is refused some blocks.
    static ABOVE: Cell<usize> = const { Cell::new(usize::MAX) };
    static DICE: Cell<u32> = const { Cell::new(0x9E37_79B9) };
}

fn refuses(size: usize) -> bool {
    if size <= ABOVE.get() {
        return false;
    }
    let dice = DICE.get().wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    DICE.set(dice);
    (dice >> 16) % 3 != 0
}

// SAFETY: what is not refused goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refuses(layout.size()) {
            REFUSALS.fetch_add(1, Ordering::Relaxed);
            return ptr::null_mut();
        }
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

/// Runs `f` while the heap refuses this thread two of three blocks that are larger than this.
pub(crate) fn while_poor<R>(above: usize, f: impl FnOnce() -> R) -> R {
    struct Rich;

    impl Drop for Rich {
        fn drop(&mut self) {
            ABOVE.set(usize::MAX);
        }
    }

    let _rich = Rich;
    ABOVE.set(above);
    f()
}

/// Bytes that the heap has handed out.
pub(crate) static HELD: AtomicUsize = AtomicUsize::new(0);

/// Bytes of the process that are in memory.
pub(crate) fn resident() -> usize {
    // What the heap keeps for later is not ours.
    // SAFETY: it has no conditions.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0)
    };
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0) * 4096
}
