//! A frame stack between threads. `.ci/deep threads` runs this under ThreadSanitizer.

use std::alloc::Layout;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use typed_pool::{FrameBox, FrameStack};

const THREADS: usize = 4;

/// Rounds for each thread: fewer where each takes fifty times as long.
fn rounds() -> usize {
    if std::env::var_os("PROPTEST_CASES").is_some() { 200 } else { 2000 }
}

/// Fills blocks of many sizes, frees some, and finds all others as they were.
fn work(stack: &FrameStack, seed: usize) -> usize {
    let mut random = fastrand::Rng::with_seed(seed as u64);
    let mut held: Vec<(&mut [u8], u8)> = Vec::new();
    let mut freed = 0;
    for round in 0..rounds() {
        let size = 8 * random.usize(1..20);
        let align = 8 << random.usize(0..4);
        let layout = Layout::from_size_align(size, align).unwrap();
        let Ok(mut block) = stack.alloc_raw(layout) else { continue };
        assert_eq!(block.cast::<u8>().addr().get() % align, 0);
        let mark = (seed ^ round) as u8;
        // SAFETY: the block is new, and its bytes are anyone's.
        unsafe { block.cast::<u8>().write_bytes(mark, size) };
        if random.bool() {
            // SAFETY: the block is this thread's, and all its bytes are written.
            held.push((unsafe { block.as_mut() }, mark));
        } else {
            // SAFETY: the block is from this stack and this layout, and used no more.
            freed += usize::from(unsafe { stack.free_last(block.cast(), layout) });
        }
    }
    assert!(held.iter().all(|(block, mark)| block.iter().all(|byte| byte == mark)));
    freed
}

fn together(stack: &FrameStack) -> usize {
    let freed = AtomicUsize::new(0);
    thread::scope(|threads| {
        for seed in 0..THREADS {
            let freed = &freed;
            threads.spawn(move || freed.fetch_add(work(stack, seed), Ordering::Relaxed));
        }
    });
    freed.into_inner()
}

#[test]
fn threads_never_get_the_same_bytes() {
    let mut stack = FrameStack::with_capacity(256);
    for _ in 0..3 {
        // Most frees are of the last block, even among four threads.
        assert!(together(&stack) > 0);
        assert!(stack.used() <= stack.capacity());
        assert!(stack.high_water() >= stack.used());
        stack.reset();
        assert_eq!(stack.used(), 0);
    }
}

#[test]
fn a_bounded_stack_is_full_and_never_fuller() {
    let mut stack = FrameStack::bounded(10_000);
    for _ in 0..5 {
        let blocks: usize = thread::scope(|threads| {
            let count = || (0..2000).filter(|_| stack.try_alloc([0_u8; 24]).is_ok()).count();
            let workers: Vec<_> = (0..THREADS).map(|_| threads.spawn(count)).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).sum()
        });
        assert_eq!((blocks, stack.used()), (10_000 / 24, 10_000 / 24 * 24));
        assert!(stack.try_alloc([0_u8; 16]).is_ok(), "what still fits is still there");
        stack.reset();
    }
}

#[test]
fn between_threads_what_was_freed_from_the_top_comes_back() {
    let stack = FrameStack::with_capacity(64);
    let kept = AtomicUsize::new(0);
    thread::scope(|threads| {
        for thread in 0..THREADS as u64 {
            let (stack, kept) = (&stack, &kept);
            threads.spawn(move || {
                for round in 0..rounds() as u64 {
                    let b = stack.alloc([thread, round, !round]);
                    assert_eq!(*b, [thread, round, !round]);
                    kept.fetch_add(usize::from(!stack.free(b)), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(stack.used(), 24 * kept.into_inner());
}

#[test]
fn threads_share_a_scope() {
    let mut stack = FrameStack::with_capacity(64);
    let sum: u64 = stack.scope(|scope| {
        let scope = &*scope;
        let parts: Vec<FrameBox<'_, u64>> = thread::scope(|threads| {
            let workers: Vec<_> =
                (0..THREADS as u64).map(|n| threads.spawn(move || scope.alloc(n))).collect();
            workers.into_iter().map(|worker| worker.join().unwrap()).collect()
        });
        parts.iter().map(|part| **part).sum()
    });
    assert_eq!((sum, stack.used()), (6, 0));
}

/// Neighbours share what AddressSanitizer keeps a record of, 8 bytes.
#[test]
fn elements_of_an_odd_size_of_many_threads() {
    let frame = FrameStack::new();
    thread::scope(|scope| {
        for id in 1..=THREADS as u8 {
            let frame = &frame;
            scope.spawn(move || {
                for _ in 0..if cfg!(miri) { 5 } else { 1000 } {
                    // Two of three are freed, where they are the last.
                    let kept: Vec<_> = (0..300)
                        .filter_map(|n| {
                            let element = frame.alloc([id; 3]);
                            if n % 3 == 0 {
                                return Some(element);
                            }
                            frame.free(element);
                            None
                        })
                        .collect();
                    assert!(kept.iter().all(|element| **element == [id; 3]));
                }
            });
        }
    });
}
