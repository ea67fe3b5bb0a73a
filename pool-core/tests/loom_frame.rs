//! Models of the frame stack: loom runs each in every order in which threads may take turns and see
//! each other's writes.
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" LOOM_MAX_PREEMPTIONS=3 cargo test --release -p pool-core --test loom_frame \
//!     --features allocator-api2-02 --target-dir target/loom
//! ```
//!
//! Each model is proven by bugs that were put in and that it found:
//!
//! | bug | found by |
//! |---|---|
//! | `FrameChunk::alloc_block` exchanges with `Relaxed` | `freed_bytes_pass_from_thread_to_thread` |
//! | `FrameChunk::resize`, where it frees, exchanges with `Relaxed` | `freed_bytes_pass_from_thread_to_thread` |
//! | `FrameChunk::resize`, where it grows, exchanges with `Relaxed` | `a_block_grows_over_bytes_that_were_freed` |
//! | `FrameChunk::alloc_block` stores instead of exchanging | all but the mark's |
//! | `FrameChunk::resize` does not look at `top` again after it has lost an exchange | `freed_bytes_pass_from_thread_to_thread` |
//! | links are read, or exchanged, with `Relaxed` | `a_chunk_is_linked_once` |
//! | `find_room` uses its own chunk although another was linked, or overwrites that | `a_chunk_is_linked_once` |
//! | `position` looks at no chunk behind the current one | `what_came_late_is_older_than_a_mark` |

#![cfg(loom)]
#![allow(missing_docs, reason = "no library")]

/// The files themselves, compiled with loom's atomics.
#[path = "../src"]
#[allow(
    dead_code,
    unnameable_types,
    unreachable_pub,
    unused_imports,
    unused_macros,
    reason = "parts of a library"
)]
mod src {
    pub(crate) mod base;
    pub(crate) mod frame;
    pub(crate) mod init;
    pub(crate) mod memory {
        pub(crate) mod heap;
        pub(crate) mod pages;
    }
    pub(crate) mod pointer;
    pub(crate) mod thread;
}
use src::{base, frame, init, memory, pointer, thread};

extern crate alloc;

use std::alloc::Layout;
use std::ptr::NonNull;

use loom::cell::UnsafeCell;
use loom::sync::Arc;

use frame::FrameStack;

const BYTES: usize = 16;

fn block() -> Layout {
    Layout::from_size_align(BYTES, 8).unwrap()
}

/// Blocks' contents, one cell for each place in the first chunk: loom knows who uses a cell, and not who
/// uses memory.
struct Contents {
    start: usize,
    cells: Vec<UnsafeCell<usize>>,
}

// SAFETY: loom reports a thread that uses a cell that another thread is not done with.
unsafe impl Sync for Contents {}
// SAFETY: as above.
unsafe impl Send for Contents {}

impl Contents {
    /// For a stack in which nothing was allocated yet.
    fn of(stack: &FrameStack, places: usize) -> Self {
        let start = stack.alloc_raw(block()).unwrap().cast::<u8>();
        let cells = (0..places).map(|_| UnsafeCell::new(0)).collect();
        give(stack, start);
        Self { start: start.addr().get(), cells }
    }

    /// Writes into the block and reads it back.
    fn fill(&self, block: NonNull<u8>, bytes: usize, value: usize) {
        let first = (block.addr().get() - self.start) / BYTES;
        let cells = &self.cells[first..first + bytes / BYTES];
        for cell in cells {
            // SAFETY: loom checks it.
            cell.with_mut(|content| unsafe { *content = value });
        }
        for cell in cells {
            // SAFETY: loom checks it.
            cell.with(|content| assert_eq!(unsafe { *content }, value));
        }
    }
}

fn take(stack: &FrameStack) -> NonNull<u8> {
    stack.alloc_raw(block()).unwrap().cast()
}

fn give(stack: &FrameStack, at: NonNull<u8>) -> bool {
    // SAFETY: the models give back what `take` returned, and use it no more if that succeeds.
    unsafe { stack.free_last(at, block()) }
}

/// Two threads that allocate, write, and free: the thread that gets a block that was freed sees that its last
/// owner has done with it.
#[test]
fn freed_bytes_pass_from_thread_to_thread() {
    loom::model(|| {
        let stack = FrameStack::bounded(8 * BYTES);
        let shared = Arc::new((Contents::of(&stack, 8), stack));
        let work = |shared: &(Contents, FrameStack), value| {
            let (contents, stack) = shared;
            let mut kept = 0;
            for _ in 0..2 {
                let block = take(stack);
                contents.fill(block, BYTES, value);
                kept += usize::from(!give(stack, block));
            }
            kept
        };
        let other = {
            let shared = shared.clone();
            loom::thread::spawn(move || work(&shared, 1))
        };
        let kept = work(&shared, 2) + other.join().unwrap();
        let used = shared.1.used();
        // A block that was not the last stays, unless one below it was freed: never.
        assert_eq!(used, kept * BYTES);
    });
}

/// Two threads find the first chunk too small: both want to link one, and nothing gets lost.
#[test]
fn a_chunk_is_linked_once() {
    loom::model(|| {
        let stack = Arc::new(FrameStack::with_capacity(BYTES));
        let two = |stack: &FrameStack| [take(stack), take(stack)].map(|block| block.addr().get());
        let other = {
            let stack = stack.clone();
            loom::thread::spawn(move || two(&stack))
        };
        let mine = two(&stack);
        let mut all = [mine, other.join().unwrap()].concat();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[1] - pair[0] >= BYTES));
        assert_eq!((stack.used(), stack.high_water()), (4 * BYTES, 4 * BYTES));
        // One of the least size, and none that was forgotten.
        assert_eq!(stack.capacity(), BYTES + 1024);
    });
}

/// A block is freed and the stack goes back to its first chunk, while another thread allocates where
/// the stack was.
#[test]
fn the_stack_goes_back_while_another_thread_allocates() {
    loom::model(|| {
        let stack = Arc::new(FrameStack::with_capacity(BYTES));
        let first = take(&stack);
        let second = take(&stack);
        let other = {
            let stack = stack.clone();
            loom::thread::spawn(move || take(&stack).addr())
        };
        let freed = [give(&stack, second), give(&stack, first)];
        let mine = take(&stack).addr();
        let theirs = other.join().unwrap();
        assert_ne!(mine, theirs);
        let freed = freed.into_iter().filter(|&freed| freed).count();
        assert_eq!(stack.used(), (4 - freed) * BYTES);
    });
}

/// A mark is made after another thread has put a block where the stack had been before it went back.
/// That block is older than the mark, and survives it.
#[test]
fn what_came_late_is_older_than_a_mark() {
    loom::model(|| {
        let stack = Arc::new(FrameStack::with_capacity(BYTES));
        let [first, second] = [take(&stack), take(&stack)];
        let other = {
            let stack = stack.clone();
            loom::thread::spawn(move || take(&stack).addr().get())
        };
        give(&stack, second);
        give(&stack, first);
        let theirs = other.join().unwrap();
        let mark = stack.mark();
        let used = stack.used();
        take(&stack);
        // SAFETY: the last block is used no more, and there is no other thread.
        unsafe { stack.rewind(mark) };
        assert!(stack.used() >= used);
        let next = [take(&stack), take(&stack)].map(|block| block.addr().get());
        assert!(!next.contains(&theirs));
    });
}

/// One thread makes its block longer, over bytes that another has used and freed.
#[cfg(feature = "allocator-api2-02")]
#[test]
fn a_block_grows_over_bytes_that_were_freed() {
    use allocator_api2::alloc::Allocator;

    loom::model(|| {
        let stack = FrameStack::bounded(8 * BYTES);
        let contents = Contents::of(&stack, 8);
        let below = take(&stack);
        let shared = Arc::new((contents, stack));
        let other = {
            let shared = shared.clone();
            loom::thread::spawn(move || {
                let (contents, stack) = &*shared;
                let block = take(stack);
                contents.fill(block, BYTES, 1);
                give(stack, block);
            })
        };
        let (contents, stack) = &*shared;
        let long = Layout::from_size_align(2 * BYTES, 8).unwrap();
        // SAFETY: the block is of this layout.
        let grown = unsafe { (&stack).grow(below, block(), long) }.unwrap().cast();
        contents.fill(grown, 2 * BYTES, 2);
        // SAFETY: the block is of this layout.
        let cut = unsafe { (&stack).shrink(grown, long, block()) }.unwrap().cast();
        contents.fill(cut, BYTES, 3);
        other.join().unwrap();
    });
}
