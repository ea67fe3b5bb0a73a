//! A heap that counts what watched threads ask for, whichever thread gives it back.
//!
//! It does not count what such a thread gives back for others: when one ends, std's list of all threads
//! may need fewer blocks.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

thread_local! {
    static IS_WATCHED: Cell<bool> = const { Cell::new(false) };
    /// Whether this thread has [`BLOCKS`], whose own memory is not counted.
    static HAS_BLOCKS: Cell<bool> = const { Cell::new(false) };
}

/// The addresses of the blocks that are counted. They stand beside the blocks: a pointer that is given back need not reach what stands
/// before its block.
static BLOCKS: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());

/// Calls `f` with the addresses; `None` where the thread has them already.
fn with_blocks<R>(f: impl FnOnce(&mut BTreeSet<usize>) -> R) -> Option<R> {
    if HAS_BLOCKS.replace(true) {
        return None;
    }
    let result = f(&mut BLOCKS.lock().unwrap_or_else(PoisonError::into_inner));
    HAS_BLOCKS.set(false);
    Some(result)
}

/// Watches this thread from here on to its very end.
pub(crate) fn watch() {
    IS_WATCHED.set(true);
}

/// Calls the function for every block of a watched thread: with 1 when it is there, with -1 when it goes.
pub(crate) struct Heap(pub(crate) fn(Layout, isize));

// SAFETY: each block is the system's.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller asks for a layout with a size.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() && IS_WATCHED.get() {
            let is_noted = with_blocks(|blocks| blocks.insert(block.addr()));
            if is_noted.is_some() {
                (self.0)(layout, 1);
            }
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Before the block may be another thread's.
        if with_blocks(|blocks| blocks.remove(&block.addr())) == Some(true) {
            (self.0)(layout, -1);
        }
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) };
    }
}
