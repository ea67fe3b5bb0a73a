//! A heap that refuses large blocks: pools grow by what it has, and what was half made is given back.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use typed_pool::secondary_map::HandleMap;
use typed_pool::{
    ByLayout, FreeList, Handle, LocalFrameStack, PointerStack, PoolBox, PoolBoxIn, Pooled,
    RawFreeList, RawPointerStack, RawPoolError, Reason, Rewind, Roster, SharedByLayout,
};

mod tries;

thread_local! {
    /// From how many bytes on blocks are refused: arrays, which are aligned to less than 16, and chunks.
    static REFUSED: Cell<[usize; 2]> = const { Cell::new([usize::MAX; 2]) };
    /// Chunks that were not given back.
    static CHUNKS: Cell<isize> = const { Cell::new(0) };
    /// How many blocks are handed out before one is refused.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    /// Whether all are from then on.
    static IS_LASTING: Cell<bool> = const { Cell::new(false) };
    /// Bytes of blocks that were not given back.
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

struct PoorHeap;

// SAFETY: every call goes to the system's allocator unchanged, or is refused.
unsafe impl GlobalAlloc for PoorHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let is_chunk = layout.align() >= 16;
        if layout.size() >= REFUSED.get()[usize::from(is_chunk)] {
            return std::ptr::null_mut();
        }
        let is_refused = LEFT.get() == 0;
        let is_over = is_refused && !IS_LASTING.get();
        LEFT.set(if is_over { usize::MAX } else { LEFT.get().saturating_sub(1) });
        if is_refused {
            return std::ptr::null_mut();
        }
        BYTES.set(BYTES.get() + layout.size() as isize);
        CHUNKS.set(CHUNKS.get() + isize::from(is_chunk));
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if block.is_null() {
            // A panic would call the heap.
            std::process::abort();
        }
        BYTES.set(BYTES.get() - layout.size() as isize);
        CHUNKS.set(CHUNKS.get() - isize::from(layout.align() >= 16));
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: PoorHeap = PoorHeap;

/// Runs `f` while the heap refuses arrays and chunks of these sizes and above.
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
    let pool = RawPointerStack::with_capacity(element, 10_000).unwrap();
    assert!(pool.trim() > 0);
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
    let mut in_stack: Vec<PoolBoxIn<[u64; 4], _>> = Vec::with_capacity(1000);
    let mut in_list: Vec<PoolBoxIn<[u64; 4], _>> = Vec::with_capacity(1000);
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
    // And so does a roster.
    let mut roster = Roster::new();
    while_refused(8000, 10_000, || roster.extend((0..990).map(|n| [n; 4])));
    assert!(roster.values().zip(0..).all(|(element, n)| *element == [n; 4]));
    assert!((4..12).contains(&roster.stats().chunks), "{}", roster.stats());
}

/// Whether there is nothing yet, room, or no room.
#[test]
fn to_reserve_nothing_opens_nothing() {
    fn opens_nothing(f: impl FnOnce()) {
        let before = (BYTES.get(), CHUNKS.get());
        f();
        assert_eq!((BYTES.get(), CHUNKS.get()), before);
    }

    macro_rules! reserve_nothing {
        ($pool:ident) => {
            opens_nothing(|| {
                $pool.reserve(0);
                assert!($pool.try_reserve(0).is_ok());
            })
        };
    }

    let (list, stack) = (FreeList::<u64>::bounded(1), PointerStack::<u64>::new());
    let (mut roster, mut rewind) = (Roster::bounded(1), Rewind::from(Roster::bounded(1)));
    for _ in 0..2 {
        reserve_nothing!(list);
        reserve_nothing!(stack);
        reserve_nothing!(roster);
        opens_nothing(|| roster.reserve_exact(0));
        reserve_nothing!(rewind);
        let _ = (list.try_alloc(1).map(PoolBoxIn::leak), PoolBoxIn::leak(stack.alloc(1)));
        _ = (roster.try_insert(1), rewind.try_insert(1), rewind.mark());
    }
    opens_nothing(|| ByLayout::reserve(Layout::new::<[u8; 300]>(), 0));
    opens_nothing(|| SharedByLayout::reserve(Layout::new::<[u8; 300]>(), 0));

    let frame = LocalFrameStack::bounded(64);
    for _ in 0..2 {
        opens_nothing(|| {
            let _ = (frame.alloc([0_u8; 0]), frame.alloc_slice::<u64>(&[]), frame.alloc_str(""));
            assert!(frame.alloc_raw(Layout::new::<()>()).is_ok());
        });
        let _ = frame.alloc_raw(Layout::new::<[u8; 64]>());
    }
}

#[derive(Pooled)]
#[pool(max = 1)]
struct AtMostOne(#[allow(dead_code, reason = "for its size")] u64);

#[derive(Pooled)]
#[pool(static, max = 1)]
struct AtMostOneOfAll(#[allow(dead_code, reason = "for its size")] u64);

#[test]
fn to_reserve_nothing_in_the_pool_of_a_type_opens_nothing() {
    macro_rules! reserve_nothing {
        ($Type:ident) => {
            for is_full in [false, true] {
                let kept = is_full.then(|| PoolBox::new($Type(1)));
                let capacity = $Type::pool_stats().capacity;
                $Type::pool_reserve(0);
                assert!($Type::pool_try_reserve(0).is_ok());
                assert_eq!($Type::pool_stats().capacity, capacity);
                drop(kept);
            }
        };
    }
    reserve_nothing!(AtMostOne);
    reserve_nothing!(AtMostOneOfAll);
}

#[test]
fn a_pool_reserves_what_was_asked_for_if_the_heap_has_no_more() {
    let stack = PointerStack::<[u64; 4]>::with_capacity(100);
    let list = FreeList::<[u64; 4]>::with_capacity(100);
    // Twice the number, if possible; or by half of that, and so on; at least a hundred and ten.
    for (room, additional, capacity) in [(3000, 110, 150), (1000, 160, 168)] {
        while_refused(usize::MAX, room, || {
            stack.reserve(additional);
            list.reserve(additional);
        });
        for stats in [stack.stats(), list.stats()] {
            assert_eq!(stats.capacity, capacity);
        }
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
    PoolBoxIn::leak(list.alloc([2; 4]));
    assert_eq!(CHUNKS.get() - held, 4);
    drop((stack, list));
    assert_eq!(CHUNKS.get(), held);
}

/// Reserves room while the heap refuses the first block, then the second, and so on, until it refuses none.
fn a_roster_without_room_is_as_it_was<T: Clone + PartialEq>(element: T, is_trimmed: bool) {
    const MANY: usize = 300_000;
    let mut roster = Roster::new();
    roster.extend(std::iter::repeat_n(element.clone(), 5000));
    let last = roster.order().handle_at(4999);
    if is_trimmed {
        roster.retain(|handle, _| handle.index() < 100);
        roster.shrink_to_fit();
    }
    for blocks in 0.. {
        let (bytes, stats) = (BYTES.get(), roster.stats());
        LEFT.set(blocks);
        let result = roster.try_reserve(MANY);
        let is_through = LEFT.replace(usize::MAX) < usize::MAX - blocks;
        let element = std::any::type_name::<T>();
        assert_eq!(result.is_ok(), is_through, "{element}, block {blocks}");
        if is_through {
            assert!(blocks >= 6, "tables, summaries, and a chunk: {blocks}");
            break;
        }
        assert_eq!((BYTES.get(), roster.stats()), (bytes, stats), "{element}, block {blocks}");
        assert_eq!(roster.order().handle_at(stats.live - 1).is_some(), last.is_some());
        let first = roster.order().handle_at(0).unwrap();
        assert!(roster.values().all(|other| *other == roster[first]));
    }
    let capacity = roster.capacity();
    roster.extend(std::iter::repeat_n(element, MANY));
    assert_eq!(roster.capacity(), capacity);
}

#[test]
fn a_roster_that_could_not_grow_holds_no_more_than_before() {
    for is_trimmed in [false, true] {
        a_roster_without_room_is_as_it_was(7_u8, is_trimmed);
        a_roster_without_room_is_as_it_was([7_u64; 3], is_trimmed);
        a_roster_without_room_is_as_it_was((), is_trimmed);
    }
    // More than any heap has, and so the tables would be large.
    let mut roster = Roster::<[u8; 1 << 20]>::new();
    let bytes = BYTES.get();
    let result = while_refused(usize::MAX, 1 << 30, || roster.try_reserve(1 << 24));
    assert!(result.is_err());
    assert_eq!((BYTES.get(), roster.stats().bytes), (bytes, 0));
}

#[test]
fn a_roster_is_trimmed_though_the_heap_has_nothing() {
    let mut roster: Roster<u64> = (0..100_000).collect();
    assert!(roster.order().handle_at(0).is_some());
    roster.retain(|handle, _| handle.index() < 10);
    let (bytes, before) = (BYTES.get(), roster.stats().bytes);
    while_refused(0, 0, || roster.shrink_to_fit());
    let stats = roster.stats();
    assert_eq!(bytes - BYTES.get(), (before - stats.bytes) as isize);
    assert!(stats.capacity < 2000 && before - stats.bytes > 90_000 * 8);
    // With the tables that it had to keep it works on, and gives them back when it can.
    roster.extend(10..50_000);
    assert!(roster.values().copied().eq(0..50_000));
    let order = roster.order();
    assert!((0..50_000).all(|n| order.handle_at(n).and_then(|h| order.index_of(h)) == Some(n)));
    roster.clear();
    roster.shrink_to_fit();
    assert!(roster.stats().bytes < 4 * 131_072 + 4096, "all but the generations");
}

/// (`tries` has all that return one.)
#[test]
fn a_refused_insertion_says_what_the_heap_lacks() {
    let handle = Fragile::pool_insert(Fragile([1; 300]));
    let refused = while_refused(0, 0, || {
        (0..20).find_map(|n| Fragile::pool_try_insert(Fragile([n; 300])).err())
    });
    let refused = refused.expect("one chunk");
    assert_eq!(refused.reason(), Reason::Heap);
    assert!(refused.to_string().contains("the heap has no room for 2400 bytes"), "{refused}");
    assert!(refused.into_inner().0[0] < 20);
    assert!(Fragile::pool_try_insert_with(|_| Fragile([2; 300])).is_ok());
    assert_eq!(Fragile::pool_get(handle, |fragile| fragile.0[0]), Some(1));
}

#[derive(Debug, Pooled)]
#[pool(strategy = roster)]
struct Fragile([u64; 300]);

#[test]
fn a_small_roster_is_small() {
    for make in [Roster::new, || Roster::with_capacity(2)] {
        let before = BYTES.get();
        let mut roster = make();
        let pair = [[1_u64, 2], [3, 4]].map(|element| roster.insert(element));
        assert!(BYTES.get() - before <= 512, "{}", BYTES.get() - before);
        let addresses = pair.map(|handle| &raw const roster[handle]);
        // By doubling from there, and nothing moves.
        let mut held = BYTES.get() - before;
        for n in 2..3000 {
            let capacity = roster.capacity();
            roster.insert([n; 2]);
            if roster.capacity() > capacity {
                assert_eq!(roster.capacity(), 2 * capacity);
                assert!(BYTES.get() - before <= 2 * held + 64, "{n} elements");
                held = BYTES.get() - before;
            }
        }
        assert_eq!(pair.map(|handle| &raw const roster[handle]), addresses);
    }
}

/// Nor does it go through the vacant slots, which a test cannot see.
#[test]
fn a_trim_that_frees_nothing_asks_for_nothing() {
    let mut bytes: Vec<_> = (0..20_000).map(|n| PoolBox::new(Trimmed([n; 4]))).collect();
    let first = Trimmed::pool_stats().bytes;
    for kept in [15_000, 12_000, 11_000] {
        bytes.truncate(kept);
        LEFT.set(1000);
        let freed = Trimmed::pool_trim();
        assert_eq!((LEFT.replace(usize::MAX), freed), (1000, 0));
    }
    assert_eq!(Trimmed::pool_stats().bytes, first);
    drop(bytes);
    Trimmed::pool_trim();
    assert_eq!(Trimmed::pool_stats().bytes, 0);
}

#[derive(Pooled)]
#[pool(static, chunk = 20_000)]
struct Trimmed(#[allow(dead_code, reason = "for its size")] [u64; 4]);

/// The pools by layout, and what they grow by.
macro_rules! by_layout {
    ($($name:ident: $Marker:ident, $size:literal;)*) => {$(
        #[test]
        fn $name() {
            let stats = || {
                let mut pools = $Marker::stats();
                pools.find(|pool| pool.slot_bytes == 8 * $size).expect("a class")
            };
            let mut boxes: Vec<PoolBoxIn<[u64; $size], _>> = Vec::with_capacity(1000);
            let held = CHUNKS.get();
            while_refused(8000, 10_000, || {
                boxes.extend((0..990).map(|n| PoolBoxIn::new_in([n; $size], $Marker)));
            });
            assert!(boxes.iter().zip(0..).all(|(b, n)| **b == [n; $size]));
            assert!((4..12).contains(&stats().chunks), "{}: half as much, not the least", stats());
            drop(boxes.split_off(5));
            // Nor does a trim need what the heap does not have.
            let before = stats().bytes;
            let saved = while_refused(0, 0, $Marker::trim);
            assert_eq!((stats().live, before - stats().bytes), (5, saved));
            assert!(boxes.iter().zip(0..).all(|(b, n)| **b == [n; $size]));

            // What the heap refuses is refused, of a slot and of a block, and nothing is half made.
            #[cfg(feature = "allocator-api2-02")]
            {
                use allocator_api2::alloc::Allocator;

                let allocate = |size| {
                    let layout = Layout::from_size_align(size, 8).expect("small");
                    $Marker.allocate(layout).map(|block| (block, layout))
                };
                // The class of these boxes has vacant slots; another has none, nor has the heap.
                for size in [24 * $size, 50_000] {
                    let (bytes, chunks) = (BYTES.get(), CHUNKS.get());
                    assert!(while_refused(0, 0, || allocate(size)).is_err(), "{size} bytes");
                    assert_eq!((BYTES.get(), CHUNKS.get()), (bytes, chunks));
                    let (block, layout) = allocate(size).expect("memory");
                    // SAFETY: it has just come from there.
                    unsafe { $Marker.deallocate(block.cast(), layout) };
                }
            }
            drop(boxes);
            $Marker::trim();
            assert_eq!((stats().bytes, CHUNKS.get()), (0, held));
        }
    )*};
}

by_layout! {
    pools_by_layout_grow_by_what_the_heap_has: ByLayout, 4;
    shared_pools_by_layout_grow_by_what_the_heap_has: SharedByLayout, 4;
}

/// Slots next to each other, some way apart, and anywhere, down and up, and a map of each kind.
fn with_refusals<const SPARSE: bool>() {
    let handle =
        |slot: u64| Handle::<u8>::from_bits(slot << 32 | 1 << 1 | 1).expect("a generation");
    for (slots, apart) in [(200, 1), (100, 900), (100, 40_000_000)] {
        let slots: Vec<u64> = (0..slots).map(|n| n * apart).collect();
        for is_down in [false, true] {
            // Until nothing is refused any more.
            for n in 0.. {
                let mut map = HandleMap::<u8, [u64; 20], SPARSE>::new();
                let mut order = slots.clone();
                if is_down {
                    order.reverse();
                }
                LEFT.set(n);
                for &slot in &order {
                    while map.try_insert(handle(slot), [slot; 20]) == Err([slot; 20]) {}
                    assert_eq!(map.get(handle(slot)), Some(&[slot; 20]));
                }
                let full = LEFT.replace(usize::MAX);
                assert!(map.values().map(|value| &value[0]).eq(&slots), "{n}");
                map.retain(|_, value| value[0] > 10 * apart && value[0] % (3 * apart) == 0);
                let left =
                    || slots.iter().filter(|&slot| *slot > 10 * apart && slot % (3 * apart) == 0);
                assert!(map.values().map(|value| &value[0]).eq(left()), "{n}");
                assert!(left().all(|&slot| map.contains(handle(slot))));
                if full < usize::MAX && full > 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn secondary_maps_lose_nothing_if_the_heap_refuses() {
    with_refusals::<false>();
    with_refusals::<true>();
}
