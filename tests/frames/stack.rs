//! The promises of a frame stack, one case after the other.

use std::alloc::Layout;
use std::cell::{Cell, RefCell};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use typed_pool::frame::{Frames, Sharing};
use typed_pool::{FrameBox, FrameStack, LocalFrameStack, init};

fn layout(size: usize, align: usize) -> Layout {
    Layout::from_size_align(size, align).unwrap()
}

fn raw<S: Sharing>(stack: &Frames<S>, size: usize, align: usize) -> NonNull<u8> {
    let block = stack.alloc_raw(layout(size, align)).unwrap();
    assert_eq!((block.len(), block.cast::<u8>().addr().get() % align), (size, 0));
    // SAFETY: the block is new and has `size` bytes.
    unsafe { block.cast::<u8>().write_bytes(0xA5, size) };
    block.cast()
}

fn free<S: Sharing>(stack: &Frames<S>, block: NonNull<u8>, size: usize, align: usize) -> bool {
    // SAFETY: the tests give back what `raw` returned for the same layout, and use it no more.
    unsafe { stack.free_last(block, layout(size, align)) }
}

#[test]
fn padding_comes_back_however_many_blocks_are_above_it() {
    let stack = FrameStack::bounded(1 << 20);
    for many in [0, 1, 40, 1000] {
        for (align, last) in [(1, 2), (8, 16), (16, 8), (64, 16), (4096, 64)] {
            let first = raw(&stack, 1, 1);
            let padded = raw(&stack, align, align);
            let many: Vec<_> = (0..many).map(|n| raw(&stack, 1 + n % 9, 1 << (n % 5))).collect();
            let used = stack.used();
            let top = raw(&stack, last, last);
            assert!(free(&stack, top, last, last));
            assert_eq!(stack.used(), used);
            for (n, &block) in many.iter().enumerate().rev() {
                assert!(free(&stack, block, 1 + n % 9, 1 << (n % 5)));
            }
            assert!(free(&stack, padded, align, align));
            assert_eq!(stack.used(), 8);
            assert!(free(&stack, first, 1, 1));
            assert_eq!(stack.used(), 0);
        }
    }
}

#[test]
fn a_block_of_another_stack_is_not_freed() {
    let (stack, other) = (FrameStack::new(), FrameStack::new());
    let (kept, foreign) = (raw(&stack, 64, 8), raw(&other, 64, 8));
    // That is misuse, which a debug build and `hardened` report.
    if !cfg!(any(debug_assertions, feature = "hardened")) {
        assert!(!free(&stack, foreign, 64, 8));
    }
    assert!(!stack.free(other.alloc(1_u64)));
    assert!(!FrameStack::new().free(stack.alloc(1_u64)), "a stack without a chunk");
    assert!(!free(&stack, kept, 64, 8));
    assert_eq!((stack.used(), other.used()), (72, 72));
}

#[test]
fn blocks_without_size_take_nothing() {
    let stack = FrameStack::bounded(0);
    let block = stack.alloc_raw(layout(0, 4096)).unwrap();
    assert_eq!((block.len(), block.cast::<u8>().addr().get() % 4096), (0, 0));
    assert!(free(&stack, block.cast(), 0, 4096));
    assert!(stack.alloc_slice::<u64>(&[]).is_empty());
    assert_eq!(stack.alloc_str(""), "");

    #[derive(Debug)]
    struct Nothing;
    impl Drop for Nothing {
        fn drop(&mut self) {
            DROPPED.set(DROPPED.get() + 1);
        }
    }
    thread_local!(static DROPPED: Cell<u32> = const { Cell::new(0) });
    drop(stack.alloc(Nothing));
    drop(stack.alloc_iter((0..3).map(|_| Nothing)));
    assert!(stack.free(stack.alloc(Nothing)));
    assert_eq!((DROPPED.get(), stack.used()), (5, 0));
}

#[test]
fn what_does_not_fit_costs_nothing() {
    let stack = FrameStack::bounded(104);
    let huge = isize::MAX as usize;
    for (size, align) in [(105, 1), (huge, 1), (huge - 63, 64), (4096, 4096), (8, 1 << 30)] {
        let error = stack.alloc_raw(layout(size, align)).unwrap_err();
        assert_eq!(error.capacity(), 104);
        assert!(error.to_string().contains(&format!("{size} bytes aligned to {align}")));
    }
    raw(&stack, 100, 1);
    assert_eq!((stack.used(), stack.capacity()), (104, 104));
    // What is asked for is rounded up, as blocks are.
    assert_eq!(FrameStack::bounded(97).capacity(), 104);
}

#[test]
fn a_chunk_for_one_block_has_room_for_its_alignment() {
    let stack = FrameStack::with_capacity(0);
    raw(&stack, 100, 4096);
    assert_eq!(stack.capacity(), 104 + 4096);
}

#[test]
fn after_a_reset_the_largest_chunk_comes_first() {
    let mut stack = FrameStack::with_capacity(256);
    for size in [200, 3000, 20_000, 100_000] {
        raw(&stack, size, 1);
    }
    let capacity = stack.capacity();
    for _ in 0..3 {
        stack.reset();
        raw(&stack, 1, 1);
        raw(&stack, 90_000, 8);
        assert_eq!((stack.used(), stack.capacity()), (90_008, capacity));
    }
    // Freed from the top, through all chunks.
    stack.reset();
    let mut blocks: Vec<_> = Vec::new();
    while stack.capacity() == capacity {
        blocks.push(raw(&stack, 100, 4));
    }
    while let Some(block) = blocks.pop() {
        assert!(free(&stack, block, 100, 4));
    }
    assert_eq!(stack.used(), 0);
    raw(&stack, 100, 4);
    assert!(stack.trim() >= capacity);
    assert_eq!((stack.capacity(), stack.used()), (256, 0));
}

#[test]
fn a_frame_like_the_last_one_makes_the_stack_grow_once_more_at_most() {
    let capacities = |first: usize, blocks: &[(usize, usize)]| {
        let mut stack = FrameStack::with_capacity(first);
        [(); 6].map(|()| {
            for &(size, align) in blocks {
                raw(&stack, size, align);
            }
            stack.reset();
            stack.capacity()
        })
    };
    // Chunks of 1024, 1024 and 2048 bytes. The two small ones are not enough for the large block, once the
    // small blocks lie in the large chunk.
    let grown = capacities(1024, &[(1024, 1), (1024, 1), (2048, 1)]);
    assert_eq!(grown, [4096, 8192, 8192, 8192, 8192, 8192]);

    for seed in 0..500 {
        let mut random = fastrand::Rng::with_seed(seed);
        let largest = 1 << random.u32(4..14);
        let blocks: Vec<_> = (0..random.usize(1..100))
            .map(|_| (random.usize(1..=largest), 1 << random.u32(0..7)))
            .collect();
        let [_, second, later @ ..] = capacities(random.usize(0..5000), &blocks);
        assert_eq!(later, [second; 4], "seed {seed}");
    }
}

#[test]
fn marks_of_other_times_and_places_are_refused() {
    let (mut stack, other) = (FrameStack::with_capacity(64), FrameStack::new());
    let rewind = |stack: &FrameStack, mark| {
        // SAFETY: what was allocated since is not used any more, and there is no other thread.
        unsafe { stack.rewind(mark) }
    };
    let start = stack.mark();
    assert!(rewind(&stack, start));
    raw(&stack, 60, 1);
    let full = stack.mark();
    raw(&stack, 500, 1);
    let last = stack.mark();
    assert!(!rewind(&other, start) && !rewind(&stack, other.mark()));
    assert!(!rewind(&other, start), "now that both have marks");
    assert!(rewind(&stack, last));
    assert_eq!(stack.used(), 568);
    assert!(rewind(&stack, full));
    assert_eq!(stack.used(), 64);
    assert!(!rewind(&stack, last), "from ahead");
    assert!(rewind(&stack, start));
    assert_eq!(stack.used(), 0);
    assert!(!rewind(&stack, full), "from ahead");
    raw(&stack, 60, 1);
    let old = stack.mark();
    stack.reset();
    raw(&stack, 64, 1);
    assert!(!rewind(&stack, old), "from before the reset");
    assert!(rewind(&stack, stack.mark()) && !rewind(&stack, old), "though there are new ones");
    assert_eq!((stack.used(), stack.high_water()), (64, 568));
}

#[test]
fn a_mark_from_a_chunk_that_has_emptied_is_good_in_the_one_before() {
    let stack = LocalFrameStack::with_capacity(100);
    let (below, _last) = (raw(&stack, 29, 1), raw(&stack, 7, 1));
    let in_second = raw(&stack, 1000, 8);
    assert!(free(&stack, in_second, 1000, 8));
    let mark = stack.mark();
    // It is not the last, but the stack has gone back to its chunk to see that.
    assert!(!free(&stack, below, 29, 1));
    raw(&stack, 12, 1);
    // SAFETY: the block is not used any more.
    assert!(unsafe { stack.rewind(mark) });
    assert_eq!(stack.used(), 40);
}

#[test]
fn a_chunk_that_has_emptied_is_no_place_to_go_back_to() {
    let mut stack = LocalFrameStack::with_capacity(64);
    let first = raw(&stack, 64, 1);
    // In a second chunk, under one with padding.
    let blocks: Vec<_> = (0..41).map(|_| raw(&stack, 1, 1)).collect();
    let padded = raw(&stack, 2, 2);
    assert!(free(&stack, padded, 2, 2));
    assert!(blocks.iter().rev().all(|&block| free(&stack, block, 1, 1)));
    assert!(free(&stack, first, 64, 1));
    assert_eq!(stack.used(), 0);

    stack.scope(|scope| {
        scope.alloc_slice(&[7_u8; 20]);
    });
    assert_eq!(stack.used(), 0, "the first chunk was in use again");
    let mark = stack.mark();
    raw(&stack, 20, 1);
    // SAFETY: the block is not used any more.
    assert!(unsafe { stack.rewind(mark) });
    assert_eq!(stack.used(), 0);
}

#[test]
fn the_high_water_mark_forgets_what_was_below_a_chunk_at_another_time() {
    let stack = FrameStack::with_capacity(1000);
    let first = raw(&stack, 1000, 1);
    let second = raw(&stack, 500, 1);
    assert!(free(&stack, second, 500, 1));
    let in_second = stack.mark();
    assert!(free(&stack, first, 1000, 1));
    // Too large for the second chunk, which the stack comes to by the mark.
    raw(&stack, 1100, 1);
    // SAFETY: no block is used any more.
    assert!(unsafe { stack.rewind(in_second) });
    let second = raw(&stack, 1000, 1);
    assert!(free(&stack, second, 1000, 1));
    assert_eq!((stack.used(), stack.high_water()), (0, 1504));
}

#[test]
fn a_scope_that_panics_takes_everything_back_and_drops() {
    let (mut stack, log) = (FrameStack::new(), RefCell::new(Vec::new()));
    let unwound = catch_unwind(AssertUnwindSafe(|| {
        stack.scope(|scope| {
            let _kept = scope.alloc(Drops(&log, 1));
            mem::forget(scope.alloc(Drops(&log, 2)));
            scope.scope(|inner| {
                let _kept = inner.alloc(Drops(&log, 3));
                panic!("as told");
            })
        })
    }));
    assert!(unwound.is_err());
    assert_eq!((log.take(), stack.used()), (vec![3, 1], 0));
}

#[test]
fn what_lies_in_the_place_of_an_older_block_goes_with_the_scope_around() {
    for (bytes, left) in [(5, 8), (8, 8), (100, 8)] {
        let mut stack = FrameStack::new();
        stack.scope(|outer| {
            let first = outer.alloc(1_u64);
            outer.scope(|inner| {
                assert!(inner.free(first));
                inner.alloc_iter((0..bytes).map(|_| 0_u8));
            });
            let outer = format!("{outer:?}");
            assert!(outer.contains(&format!("stack: {left} of")), "{outer}");
        });
        assert_eq!(stack.used(), 0);
    }
}

/// Writes its number down when it is dropped.
struct Drops<'a>(&'a RefCell<Vec<u32>>, u32);

impl Drop for Drops<'_> {
    fn drop(&mut self) {
        self.0.borrow_mut().push(self.1);
    }
}

#[test]
fn destructors_run_with_their_boxes_in_order() {
    let log = RefCell::new(Vec::new());
    let mut stack = FrameStack::new();
    {
        let _one = stack.alloc(Drops(&log, 1));
        let two = stack.alloc(Drops(&log, 2));
        let _slice = stack.alloc_iter((0..3).map(|i| Drops(&log, 10 + i as u32)));
        drop(two);
        let leaked = FrameBox::leak(stack.alloc(Drops(&log, 99)));
        leaked.1 = 98;
        let inner = FrameBox::into_inner(stack.alloc(Drops(&log, 3)));
        assert_eq!(*log.borrow(), [2]);
        drop(inner);
        // SAFETY: `into_raw` was called in the same expression.
        drop(unsafe { FrameBox::from_raw(FrameBox::into_raw(stack.alloc(Drops(&log, 4)))) });
    }
    assert_eq!(*log.borrow(), [2, 3, 4, 10, 11, 12, 1]);
    stack.reset();
    assert_eq!(log.borrow().len(), 7, "a reset drops nothing");
}

#[test]
fn a_constructor_that_panics_gives_its_memory_back() {
    let stack = FrameStack::new();
    let log = RefCell::new(Vec::new());
    raw(&stack, 1, 1);
    let panics = |f: &mut dyn FnMut()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
    panics(&mut || drop(stack.alloc_with(|| -> u64 { panic!("as told") })));
    panics(&mut || drop(stack.try_alloc_with(|| -> u64 { panic!("as told") })));
    panics(&mut || {
        let Ok(_) = stack.init(init::with(|| -> u64 { panic!("as told") }));
    });
    panics(&mut || {
        let _ = stack.alloc_iter((0..5).map(|i| {
            assert!(i < 3, "as told");
            Drops(&log, i as u32)
        }));
    });
    assert_eq!(stack.used(), 8);
    assert_eq!(*log.borrow(), [2, 1, 0]);
    assert!(stack.try_init::<u32, _>(init::try_with(|| "x".parse())).is_err());
    assert_eq!(stack.used(), 8);
    // What the constructor leaves above its own memory keeps that where it is.
    let kept = Cell::new(None);
    panics(&mut || {
        let _ = stack.alloc_with(|| -> u64 {
            kept.set(Some(stack.alloc(7_u64)));
            panic!("as told")
        });
    });
    assert_eq!((kept.take().as_deref(), stack.used()), (Some(&7), 24));
}

#[test]
fn a_destructor_that_panics_keeps_the_memory() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("as told");
        }
    }
    let stack = FrameStack::new();
    assert!(catch_unwind(AssertUnwindSafe(|| stack.free(stack.alloc((Bomb, 7_u64))))).is_err());
    assert_eq!((stack.used(), *stack.alloc(1_u64)), (8, 1));
}

#[test]
fn a_bounded_stack_panics_with_the_sizes() {
    let stack = FrameStack::bounded(16);
    let _ = stack.alloc(0_u8);
    let message = |f: &dyn Fn()| {
        let payload = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
        *payload.downcast::<String>().unwrap()
    };
    for message in [
        message(&|| drop(stack.alloc([0_u64; 3]))),
        message(&|| drop(stack.alloc_with(|| [0_u64; 3]))),
        message(&|| stack.alloc_slice(&[0_u64; 3]).reverse()),
        message(&|| drop(stack.alloc_iter((0..3).map(|_| 0_u64)))),
    ] {
        assert!(message.contains("24 bytes aligned to "), "{message}");
        assert!(message.contains(" do not fit, as 8 of 16 bytes are used"), "{message}");
    }
    let message = message(&|| drop(stack.alloc_iter((0..usize::MAX).map(|_| 0_u64))));
    assert!(message.contains("capacity overflow"), "{message}");
    let large = (vec![1; 3], [0_u64; 2]);
    assert_eq!(stack.try_alloc(large).unwrap_err().into_inner().0, [1; 3]);
}

#[test]
fn a_stack_moves_and_a_box_travels() {
    let mut stack = Box::new(LocalFrameStack::new());
    let _ = stack.alloc(1);
    let moved = *mem::replace(&mut stack, Box::new(LocalFrameStack::bounded(0)));
    let b = moved.alloc(String::from("travels"));
    std::thread::scope(|threads| {
        threads.spawn(move || assert_eq!(*b, "travels"));
    });
    let there = std::thread::spawn(move || moved.used());
    // A number, and a string.
    assert_eq!(there.join().unwrap(), 8 + size_of::<String>().next_multiple_of(8));
}

#[test]
fn figures_are_shown() {
    let stack = FrameStack::bounded(64);
    let _ = stack.alloc_slice(&[0_u8; 60]);
    assert_eq!(stack.to_string(), "frame stack: 64 of 64 bytes used, high-water mark 64, 1 chunk");
    assert_eq!(format!("{stack:?}"), stack.to_string());
}

/// (A frame's box is a `PoolBox`, whose other traits `boxes::boxed` tests.)
#[test]
fn boxes_of_iterators_are_iterators() {
    let stack = FrameStack::new();
    let mut numbers = stack.alloc(0..9);
    assert_eq!((numbers.size_hint(), numbers.nth(3), numbers.len()), ((9, Some(9)), Some(3), 5));
    assert_eq!((numbers.next_back(), numbers.by_ref().count()), (Some(8), 4));
    assert_eq!(size_of::<Option<FrameBox<'_, u64>>>(), size_of::<usize>());
}
