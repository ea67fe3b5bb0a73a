//! Thread-local pools at the end of their thread, on a heap that is watched.

use std::alloc::Layout;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use heap::Heap;

#[macro_use]
#[path = "../common/by_layout.rs"]
mod common;

mod boxes;
mod heap;
mod rosters;

/// The memory of threads under test: bytes; chunks, which alone are aligned to 16 and more; and other blocks of
/// some size, including the arrays of pointer stacks.
static BYTES: AtomicIsize = AtomicIsize::new(0);
static CHUNKS: AtomicIsize = AtomicIsize::new(0);
static ARRAYS: AtomicIsize = AtomicIsize::new(0);

fn count(layout: Layout, by: isize) {
    BYTES.fetch_add(by * layout.size() as isize, Ordering::Relaxed);
    if layout.align() >= 16 {
        CHUNKS.fetch_add(by, Ordering::Relaxed);
    } else if layout.size() >= 16 * size_of::<usize>() {
        ARRAYS.fetch_add(by, Ordering::Relaxed);
    }
}

#[global_allocator]
static HEAP: Heap = Heap(count);

/// Only one watched thread at a time may use the counts.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}
