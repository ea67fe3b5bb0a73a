//! A heap that counts what watched threads ask for, whichever thread gives it back.
//!
//! It does not count what such a thread gives back for others: when one ends, std's list of all threads
//! may need fewer blocks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
}

/// Watches this thread from here on to its very end.
pub(crate) fn watch() {
    IS_WATCHED.set(true);
}

/// Calls the function for every block of a watched thread: with 1 when it is there, with -1 when it goes.
pub(crate) struct Heap(pub(crate) fn(Layout, isize));

/// How many bytes stand before a block, to note whether it is counted, and the layout with them.
fn with_note(layout: Layout) -> Option<(usize, Layout)> {
    let before = layout.align();
    let size = layout.size().checked_add(before)?;
    Some((before, Layout::from_size_align(size, before).ok()?))
}

// SAFETY: each block is part of one of the system's, at an offset that keeps its alignment.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some((before, whole)) = with_note(layout) else { return ptr::null_mut() };
        // SAFETY: its size is not zero.
        let start = unsafe { System.alloc(whole) };
        if start.is_null() {
            return start;
        }
        let is_counted = IS_WATCHED.get();
        // SAFETY: the first byte is before the block, and in bounds.
        unsafe { start.write(u8::from(is_counted)) };
        if is_counted {
            (self.0)(layout, 1);
        }
        start.wrapping_add(before)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some((before, whole)) = with_note(layout) else { return };
        let start = block.wrapping_sub(before);
        // SAFETY: written when the block was allocated.
        if unsafe { start.read() } == 1 {
            (self.0)(layout, -1);
        }
        // SAFETY: the block that was allocated with this layout.
        unsafe { System.dealloc(start, whole) };
    }
}
