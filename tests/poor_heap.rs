//! A heap that refuses large blocks: pools grow by what it has, and what was half made is given back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::thread;

use typed_pool::{
    FreeList, PointerStack, PoolBox, PoolStats, Pooled, RawFreeList, RawPointerStack, RawPoolError,
};

thread_local! {
    /// The blocks that are refused, of those below a cache line's alignment, and of the others: from so
    /// many bytes on.
    static REFUSED: Cell<[usize; 2]> = const { Cell::new([usize::MAX; 2]) };
    /// Blocks of a cache line's alignment that are not given back.
    static CHUNKS: Cell<isize> = const { Cell::new(0) };
}

struct PoorHeap;

// SAFETY: every call goes to the system's allocator unchanged, or is refused.
unsafe impl GlobalAlloc for PoorHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let is_chunk = layout.align() >= 64;
        if layout.size() >= REFUSED.get()[usize::from(is_chunk)] {
            return std::ptr::null_mut();
        }
        CHUNKS.set(CHUNKS.get() + isize::from(is_chunk));
        // SAFETY: passed on from the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block.is_null() {
            // A panic would call the heap.
            std::process::abort();
        }
        CHUNKS.set(CHUNKS.get() - isize::from(layout.align() >= 64));
        // SAFETY: passed on from the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: PoorHeap = PoorHeap;

/// Runs `f` while the heap refuses arrays, and chunks, of so many bytes and more.
fn while_refused<R>(arrays: usize, chunks: usize, f: impl FnOnce() -> R) -> R {
    REFUSED.set([arrays, chunks]);
    let result = f();
    REFUSED.set([usize::MAX; 2]);
    result
}

#[test]
fn a_chunk_without_an_array_goes_back() {
    let element = Layout::new::<[u8; 3]>();
    let made =
        while_refused(4096, usize::MAX, || RawPointerStack::new(element, 10_000).map(|_| ()));
    assert_eq!(made, Err(RawPoolError::NoMemory { bytes: 10_000 * size_of::<usize>() }));
    assert_eq!(CHUNKS.get(), 0);
    let pool =
        while_refused(4096, usize::MAX, || RawPointerStack::growing(element, 10_000)).unwrap();
    assert!(while_refused(4096, usize::MAX, || pool.alloc()).is_none());
    assert_eq!((pool.stats().bytes, CHUNKS.get()), (0, 0));
    assert!(pool.alloc().is_some());
}

#[test]
fn an_array_without_a_chunk_is_not_made() {
    let element = Layout::new::<[u64; 4]>();
    while_refused(usize::MAX, 4096, || {
        assert!(matches!(RawPointerStack::new(element, 500), Err(RawPoolError::NoMemory { .. })));
        assert!(matches!(RawFreeList::new(element, 500), Err(RawPoolError::NoMemory { .. })));
    });
    assert_eq!(CHUNKS.get(), 0);
}

#[test]
fn a_pool_grows_by_what_the_heap_has() {
    let stack = PointerStack::new();
    let list = FreeList::new();
    let mut in_stack: Vec<PoolBox<[u64; 4], _>> = Vec::with_capacity(1000);
    let mut in_list: Vec<PoolBox<[u64; 4], _>> = Vec::with_capacity(1000);
    while_refused(8000, 10_000, || {
        for n in 0..990 {
            in_stack.push(stack.alloc([n; 4]));
            in_list.push(list.alloc([n; 4]));
        }
    });
    assert!(
        in_stack.iter().zip(&in_list).zip(0..).all(|((a, b), n)| **a == [n; 4] && a[..] == b[..])
    );
    assert!(stack.stats().chunks > 3 && list.stats().chunks > 3);
    assert!(stack.stats().chunks < 10 && list.stats().chunks < 10, "half as much, not the least");
    drop(in_stack.split_off(5));
    // Nor does a trim need what the heap does not have.
    let before = stack.stats().bytes;
    let saved = while_refused(0, 0, || stack.trim());
    assert_eq!((stack.stats().live, before - stack.stats().bytes), (5, saved));
    let again: Vec<_> = (0..500).map(|n| stack.alloc([n; 4])).collect();
    assert!(again.iter().zip(0..).all(|(b, n)| **b == [n; 4]));
    assert!(in_stack.iter().zip(0..).all(|(b, n)| **b == [n; 4]));
}

#[derive(Pooled)]
#[pool(static)]
struct Byte(u8);

/// Slots go back one by one where the heap has nothing in which batches could travel.
#[test]
#[cfg_attr(feature = "passthrough", ignore = "there are no batches")]
fn threads_exchange_slots_without_batches() {
    // So many bytes are in one chunk, and the nodes for as many batches take more.
    const SLOTS: usize = 1500;
    let without = |f: &dyn Fn()| while_refused(usize::MAX, 4096, f);
    let made = || (0..1000).map(|n| PoolBox::new(Byte(n as u8))).collect::<Vec<_>>();
    without(&|| Byte::pool_reserve(SLOTS));
    let bytes = Byte::pool_stats().bytes;
    for _ in 0..3 {
        thread::scope(|scope| {
            let sent = scope.spawn(|| while_refused(usize::MAX, 4096, made)).join().unwrap();
            assert!(sent.iter().enumerate().all(|(n, byte)| byte.0 == n as u8));
            assert_eq!(Byte::pool_stats().live, 1000);
            scope.spawn(|| while_refused(usize::MAX, 4096, || drop(sent))).join().unwrap();
        });
        without(&|| drop(made()));
        let PoolStats { live, capacity, bytes: now, .. } = Byte::pool_stats();
        assert_eq!((live, capacity, now), (0, SLOTS, bytes));
    }
    Byte::pool_trim();
    assert_eq!(Byte::pool_stats().bytes, 0);
}

#[test]
fn a_pool_reserves_what_was_asked_for_if_the_heap_has_no_more() {
    let stack = PointerStack::<[u64; 4]>::with_capacity(100);
    let list = FreeList::<[u64; 4]>::with_capacity(100);
    // Twice as many, if possible; a hundred and ten at least.
    while_refused(usize::MAX, 3000, || {
        stack.reserve(110);
        list.reserve(110);
    });
    for stats in [stack.stats(), list.stats()] {
        assert_eq!((stats.capacity, stats.chunks), (110, 2));
    }
}

#[test]
fn a_pool_that_is_dropped_gives_its_chunks_back() {
    let held = CHUNKS.get();
    let stack = PointerStack::new();
    let list = FreeList::new();
    drop((stack.alloc([1_u64; 4]), list.alloc([1_u64; 4])));
    stack.reserve(1000);
    list.reserve(1000);
    PoolBox::leak(list.alloc([2; 4]));
    assert_eq!(CHUNKS.get() - held, 4);
    drop((stack, list));
    assert_eq!(CHUNKS.get(), held);
}
