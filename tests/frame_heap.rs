//! Frame stacks on a heap that refuses large blocks, that counts, and that uses them itself.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;

use typed_pool::frame::{self, Frames, Sharing};
use typed_pool::{FrameStack, LocalFrameStack, Tracked};

thread_local! {
    /// The largest block that the heap hands out.
    static LIMIT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The heap's work before the next request, and the next.
    static GUEST: Cell<Option<fn()>> = const { Cell::new(None) };
    static SHARED: FrameStack = const { FrameStack::with_capacity(64) };
    static LOCAL: LocalFrameStack = const { LocalFrameStack::with_capacity(64) };
}

/// For tests that compare what the whole program holds, or take megabytes: one at a time.
static COUNTED: Mutex<()> = Mutex::new(());

struct Heap;

// SAFETY: what is not refused goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(guest) = GUEST.take() {
            guest();
            GUEST.set(Some(guest));
        }
        if layout.size() > LIMIT.get() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Tracked<Heap> = Tracked::new(Heap);

fn bytes(stack: &FrameStack, size: usize) -> bool {
    stack.alloc_raw(Layout::from_size_align(size, 1).unwrap()).is_ok()
}

#[test]
fn what_the_heap_refuses_costs_nothing() {
    LIMIT.set(20_000);
    let stack = FrameStack::new();
    assert!(bytes(&stack, 5000));
    for size in [19_990, 1 << 30, isize::MAX as usize / 2, isize::MAX as usize] {
        let layout = Layout::from_size_align(size, 1).unwrap();
        let error = stack.alloc_raw(layout).unwrap_err().to_string();
        assert!(error.contains(&format!("{size} bytes aligned to 1")), "{error}");
        assert!(error.contains("5000 of 8192 bytes are used and the heap has no room"), "{error}");
    }
    // The rest of the chunk is still there.
    assert!(bytes(&stack, 3192));
    assert_eq!((stack.used(), stack.capacity()), (8192, 8192));
    // A chunk as large as the stack is, then smaller ones: half as large, and half of that.
    assert!(bytes(&stack, 8192));
    assert_eq!(stack.capacity(), 16_384);
    assert!(bytes(&stack, 10_000));
    assert_eq!(stack.capacity(), 32_768);
    assert!(bytes(&stack, 6384) && bytes(&stack, 1));
    assert_eq!(stack.capacity(), 32_768 + 16_384);
    LIMIT.set(usize::MAX);
}

#[test]
fn a_first_chunk_has_what_was_asked_for_or_there_is_none() {
    let _alone = COUNTED.lock();
    LIMIT.set(1 << 20);
    for stack in [FrameStack::with_capacity, FrameStack::bounded] {
        for asked in [1 << 20, 1 << 28, isize::MAX as usize, usize::MAX] {
            let (stack, asked) = (stack(asked), asked.saturating_add(7) & !7);
            let error = stack.try_alloc(0_u8).unwrap_err().to_string();
            let figures = format!("0 of {asked} bytes are used and the heap has no room");
            assert!(error.contains(&figures), "{error}");
            assert_eq!((stack.used(), stack.capacity()), (0, asked));
        }
        let stack = stack(2 << 20);
        assert!(!bytes(&stack, 1));
        LIMIT.set(usize::MAX);
        assert!(bytes(&stack, 1), "made when there is room");
        assert_eq!(stack.capacity(), 2 << 20);
        LIMIT.set(1 << 20);
    }
    // As large as what is allocated first, where that is more.
    let stack = FrameStack::with_capacity(96);
    assert!(bytes(&stack, 50_000));
    assert_eq!(stack.capacity(), 50_000);
    LIMIT.set(usize::MAX);
}

#[test]
fn the_largest_chunk_may_be_in_the_middle() {
    let mut stack = FrameStack::with_capacity(96);
    assert!(bytes(&stack, 96) && bytes(&stack, 50_000));
    LIMIT.set(20_000);
    assert!(bytes(&stack, 10_000));
    LIMIT.set(usize::MAX);
    let capacity = stack.capacity();
    assert!((60_100..80_000).contains(&capacity));
    stack.reset();
    for _ in 0..2 {
        // All chunks are filled, and emptied from the top.
        let sizes = [50_000, 96, capacity - 50_096];
        let blocks = sizes.map(|size| {
            let layout = Layout::from_size_align(size, 1).unwrap();
            (stack.alloc_raw(layout).unwrap().cast(), layout)
        });
        assert_eq!((stack.used(), stack.capacity()), (capacity, capacity));
        for (block, layout) in blocks.into_iter().rev() {
            // SAFETY: the block is from this stack and this layout, and used no more.
            assert!(unsafe { stack.free_last(block, layout) });
        }
        assert_eq!(stack.used(), 0);
    }
}

#[test]
fn a_stack_that_has_grown_asks_the_heap_no_more() {
    let mut stack = FrameStack::with_capacity(1000);
    let frame = |stack: &FrameStack| [100, 50_000, 300, 20_000, 7].map(|size| bytes(stack, size));
    for _ in 0..2 {
        assert_eq!(frame(&stack), [true; 5]);
        stack.reset();
    }
    LIMIT.set(0);
    for _ in 0..10 {
        assert_eq!(frame(&stack), [true; 5]);
        stack.reset();
    }
    // What is refused, although there are chunks behind the current one, leaves that as it is.
    assert!(bytes(&stack, 10) && !bytes(&stack, 1 << 20) && bytes(&stack, 50_500));
    LIMIT.set(usize::MAX);
}

#[test]
fn every_chunk_goes_back() {
    const BYTES: usize = 32 << 20;
    let _alone = COUNTED.lock();
    // So large that no other test hides it.
    let leaks = HEAP.scope();
    let mut stack = FrameStack::with_capacity(BYTES);
    assert!(bytes(&stack, 1) && bytes(&stack, BYTES) && bytes(&stack, BYTES));
    // Give or take what other tests hold.
    assert!(leaks.leaked_bytes() > (3 * BYTES - BYTES / 16) as isize);
    assert!(stack.trim() > 3 * BYTES);
    assert!(leaks.leaked_bytes() < BYTES as isize);
    assert!(bytes(&stack, 1));
    drop(stack);
    assert!(leaks.leaked_bytes() < BYTES as isize);
}

#[test]
fn the_second_call_for_scratch_asks_the_heap_for_nothing() {
    fn nested(depth: u32) -> u64 {
        frame::scratch(|frame| {
            let numbers = frame.alloc_iter((0..2000_u64).filter(|n| n % 2 == 0));
            let below = if depth > 0 { nested(depth - 1) } else { 0 };
            numbers.iter().sum::<u64>() + below
        })
    }

    nested(3);
    // Once more, with each frame's largest chunk in front.
    let sum = nested(3);
    LIMIT.set(0);
    let again = nested(3);
    LIMIT.set(usize::MAX);
    assert_eq!(again, sum);
}

#[test]
fn the_scratch_of_a_thread_goes_back_when_that_ends() {
    const BYTES: usize = 32 << 20;
    let _alone = COUNTED.lock();
    let leaks = HEAP.scope();
    let held = std::thread::spawn(|| {
        let leaks = HEAP.scope();
        let large = Layout::from_size_align(BYTES, 1).unwrap();
        assert!(frame::scratch(|frame| frame.alloc_raw(large).is_ok()));
        leaks.leaked_bytes()
    });
    let held = held.join().expect("no panic");
    // Give or take what other tests hold.
    assert!(held > (BYTES - BYTES / 16) as isize, "{held}");
    assert!(leaks.leaked_bytes() < (BYTES / 2) as isize);
}

/// Runs `f` while the heap calls `guest` before each request.
fn with_guest(guest: fn(), f: impl FnOnce()) {
    GUEST.set(Some(guest));
    f();
    GUEST.set(None);
}

#[test]
fn a_chunk_that_another_was_faster_to_link_goes_back() {
    const BYTES: usize = 48 << 20;
    thread_local! {
        static LARGE: FrameStack = const { FrameStack::with_capacity(BYTES) };
    }
    let _alone = COUNTED.lock();
    // In a thread: once it is joined, its thread-locals are gone.
    let held = std::thread::spawn(|| {
        let leaks = HEAP.scope();
        let guest = || LARGE.with(|stack| assert_eq!(*stack.alloc(7_u64), 7));
        with_guest(guest, || LARGE.with(|stack| assert_eq!(*stack.alloc(8_u64), 8)));
        assert_eq!(LARGE.with(FrameStack::used), 16);
        leaks.leaked_bytes() as usize
    });
    let held = held.join().expect("no panic");
    // One chunk and not two, give or take what other tests hold.
    assert!((BYTES - BYTES / 16..BYTES + BYTES / 2).contains(&held), "{held}");
}

#[test]
fn the_heap_may_use_the_stack_that_grows() {
    fn check<S: Sharing>(stack: &Frames<S>, guest: fn()) {
        with_guest(guest, || {
            let blocks = [0, 1, 2, 3].map(|n| stack.alloc([n; 100]));
            assert!((0..4).zip(&blocks).all(|(n, block)| **block == [n; 100]));
            let numbers = stack.alloc_iter((0..10_000_u64).filter(|n| n % 2 == 0));
            let text = stack.alloc_fmt(format_args!("{:?}", &numbers[..1000]));
            assert!(numbers.iter().copied().eq((0..10_000).step_by(2)));
            assert_eq!(*text, format!("{:?}", &numbers[..1000]));
        });
    }
    let of_shared = || SHARED.with(|stack| assert_eq!(*stack.alloc([7_u64; 5]), [7; 5]));
    SHARED.with(|stack| check(stack, of_shared));
    let of_local = || LOCAL.with(|stack| assert_eq!(*stack.alloc([7_u64; 5]), [7; 5]));
    LOCAL.with(|stack| check(stack, of_local));
}

#[test]
fn what_the_heap_refuses_to_slices_and_text_is_an_error_and_goes_back() {
    let long = "x".repeat(5000);
    LIMIT.set(4000);
    let stack = FrameStack::with_capacity(1000);
    let kept = stack.alloc(7_u64);
    let used = stack.used();
    for _ in 0..3 {
        assert!(stack.try_alloc_with(|| [0_u8; 5000]).is_err());
        let never = |_| -> u8 { unreachable!("there is no room") };
        assert!(stack.try_alloc_iter((0..5000).map(never)).is_err());
        assert!(stack.try_alloc_iter(0..5000_u32).is_err());
        assert!(stack.try_alloc_str(&long).is_err());
        // These find out late, and have used all that there is by then.
        let error = stack.try_alloc_iter((0..5000_u32).filter(|_| true)).unwrap_err().to_string();
        assert!(error.contains("the heap has no room for a chunk"), "{error}");
        let error = stack.try_alloc_fmt(format_args!("{:>5000}", "")).unwrap_err().to_string();
        assert!(error.contains("the heap has no room for a chunk"), "{error}");
    }
    assert!(used == 8 && *kept == 7);
    assert!(
        stack.try_alloc_iter((0..100_u8).filter(|_| true)).is_ok(),
        "smaller requests still succeed"
    );
    LIMIT.set(usize::MAX);
    assert_eq!(stack.alloc_iter((0..5000_u32).filter(|_| true)).len(), 5000);
    assert_eq!(stack.alloc_fmt(format_args!("{:>5000}", "")).len(), 5000);
}
