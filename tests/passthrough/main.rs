//! The feature `passthrough`: each element of a derived pool of boxes is a block of the heap with the element's
//! own layout, for exactly as long as the element lives; and the pool's limits and figures hold.

#![cfg(feature = "passthrough")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::panic::catch_unwind;
use std::{env, process, thread};

use typed_pool::{FreeList, PoolArc, PoolBox, PoolRc, Pooled, Reason, any, init};

mod rosters;

thread_local! {
    /// What this thread has asked of the heap, and given back: blocks, and the sums of their sizes and alignments.
    static ASKED: Cell<Sum> = const { Cell::new(Sum::NONE) };
    static GIVEN: Cell<Sum> = const { Cell::new(Sum::NONE) };
    /// Blocks of this many bytes are refused.
    static REFUSED: Cell<usize> = const { Cell::new(usize::MAX) };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum {
    blocks: usize,
    bytes: usize,
    alignments: usize,
}

impl Sum {
    const NONE: Self = Self { blocks: 0, bytes: 0, alignments: 0 };

    fn of(blocks: usize, layout: Layout) -> Self {
        let [bytes, alignments] = [layout.size(), layout.align()].map(|each| each * blocks);
        Self { blocks, bytes, alignments }
    }

    fn and(self, other: Self) -> Self {
        Self {
            blocks: self.blocks + other.blocks,
            bytes: self.bytes + other.bytes,
            alignments: self.alignments + other.alignments,
        }
    }
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged, or is refused.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() == REFUSED.get() {
            return std::ptr::null_mut();
        }
        ASKED.set(ASKED.get().and(Sum::of(1, layout)));
        // SAFETY: passed on from the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        GIVEN.set(GIVEN.get().and(Sum::of(1, layout)));
        // SAFETY: passed on from the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// Runs `f`, and returns what this thread asked of the heap and gave back while it ran.
fn heap_of<R>(f: impl FnOnce() -> R) -> (R, Sum, Sum) {
    let [asked, given] = [&ASKED, &GIVEN].map(|sum| sum.replace(Sum::NONE));
    let result = f();
    let [during_asked, during_given] = [ASKED.get(), GIVEN.get()];
    ASKED.set(asked.and(during_asked));
    GIVEN.set(given.and(during_given));
    (result, during_asked, during_given)
}

const MANY: usize = 100;

/// A box is a block of `layout`, and is given back when it is dropped, not before and not later.
fn a_box_is_a_block<T: Pooled>(layout: Layout, make: impl Fn() -> T) {
    let mut boxes: Vec<PoolBox<T>> = Vec::with_capacity(MANY);
    let before = T::pool_stats().live;
    let ((), asked, given) = heap_of(|| {
        T::pool_reserve(MANY);
        T::pool_prefault();
    });
    assert_eq!((asked, given), (Sum::NONE, Sum::NONE), "nothing is reserved");
    let ((), asked, given) = heap_of(|| boxes.extend((0..MANY).map(|_| PoolBox::new(make()))));
    assert_eq!((asked, given), (Sum::of(MANY, layout), Sum::NONE));
    assert!(boxes.iter().all(|b| PoolBox::as_ptr(b).is_aligned()));

    let stats = T::pool_stats();
    assert_eq!((stats.live, stats.high_water), (before + MANY, before + MANY));
    assert_eq!((stats.chunks, stats.slot_bytes), (0, layout.size()));
    assert_eq!(stats.bytes, (before + MANY) * layout.size());

    let ((), asked, given) = heap_of(|| boxes.truncate(10));
    assert_eq!((asked, given), (Sum::NONE, Sum::of(MANY - 10, layout)));
    let ((), asked, given) = heap_of(|| boxes.clear());
    assert_eq!((asked, given), (Sum::NONE, Sum::of(10, layout)));
    let (trimmed, asked, given) = heap_of(T::pool_trim);
    assert_eq!((trimmed, asked, given), (0, Sum::NONE, Sum::NONE), "nothing is kept");
    assert_eq!((T::pool_stats().live, T::pool_stats().high_water), (before, before + MANY));

    // Everything else that takes a slot.
    let (_, asked, given) = heap_of(|| drop(T::pool_vacant()));
    assert_eq!((asked, given), (Sum::of(1, layout), Sum::of(1, layout)));
    let (_, asked, given) = heap_of(|| PoolBox::into_inner(PoolBox::new(make())));
    assert_eq!((asked, given), (Sum::of(1, layout), Sum::of(1, layout)));
    let failed = || T::pool_init(init::try_with(|| Err::<T, _>("no"))).is_err();
    let (failed, asked, given) = heap_of(failed);
    assert!(failed);
    assert_eq!((asked, given), (Sum::of(1, layout), Sum::of(1, layout)));
}

/// A shared element is a block with its counts, which lives as long as its weak pointers.
fn a_shared_element_is_a_block<T: Pooled, C, W>(
    make: impl Fn() -> C,
    downgrade: impl Fn(&C) -> W,
    with_counts: Layout,
) {
    let before = T::pool_stats();
    let (shared, asked, given) = heap_of(&make);
    assert_eq!((asked, given), (Sum::of(1, with_counts), Sum::NONE));
    let stats = T::pool_stats();
    assert_eq!((stats.live, stats.chunks), (before.live + 1, 0));
    assert_eq!(stats.bytes, before.bytes + with_counts.size());
    let (weak, asked, given) = heap_of(|| downgrade(&shared));
    assert_eq!((asked, given), (Sum::NONE, Sum::NONE));
    let ((), asked, given) = heap_of(|| drop(shared));
    assert_eq!((asked, given), (Sum::NONE, Sum::NONE));
    let ((), asked, given) = heap_of(|| drop(weak));
    assert_eq!((asked, given), (Sum::NONE, Sum::of(1, with_counts)));
    assert_eq!((T::pool_stats().live, T::pool_stats().bytes), (before.live, before.bytes));
}

/// The layout of a `T` behind two words.
fn with_counts<T>() -> Layout {
    #[repr(C)]
    struct Counted<T>([usize; 2], T);
    Layout::new::<Counted<T>>()
}

macro_rules! storages {
    ($($name:ident: $Element:ident ($($pool:tt)*);)*) => {$(
        #[test]
        fn $name() {
            #[derive(Pooled)]
            #[pool($($pool)*)]
            struct $Element(#[allow(dead_code, reason = "it is there for its size")] [u32; 7]);

            #[derive(Pooled)]
            #[pool(rc, $($pool)*)]
            struct Shared(#[allow(dead_code, reason = "it is there for its size")] [u32; 7]);

            a_box_is_a_block(Layout::new::<$Element>(), || $Element([1; 7]));
            a_box_is_a_block(with_counts::<Shared>(), || Shared([1; 7]));
            a_shared_element_is_a_block::<Shared, _, _>(
                || PoolRc::new(Shared([2; 7])),
                PoolRc::downgrade,
                with_counts::<Shared>(),
            );
        }
    )*};
}

storages! {
    thread_local: OfThread(thread_local);
    thread_local_stack: OfThreadStack(strategy = pointer_stack);
    thread_local_capacity: OfThreadCapacity(capacity = 100);
    growing: Growing(static);
    growing_list: GrowingList(static, strategy = free_list, chunk = 1000);
    growing_to_a_limit: GrowingLimit(static, max = 100);
    capacity: Capacity(static, capacity = 200);
    capacity_list: CapacityList(static, capacity = 200, strategy = free_list);
}

/// By layout each element is a block with its own layout, too, and not with its class's.
#[test]
fn by_layout() {
    macro_rules! check {
        ($Marker:ident, $Box:ident, $Rc:ident, $T:ty, $value:expr) => {{
            let class = || {
                let mut pools = typed_pool::$Marker::stats();
                let pool = pools.find(|pool| pool.slot_bytes >= size_of::<$T>()).expect("a class");
                (pool.live, pool.bytes, pool.chunks)
            };
            let layout = Layout::new::<$T>();
            let mut boxes: Vec<any::$Box<$T>> = Vec::with_capacity(MANY);
            let ((), asked, _) = heap_of(|| typed_pool::$Marker::reserve(layout, MANY));
            assert_eq!(asked, Sum::NONE, "nothing is reserved");
            let make = || any::$Box::new($value);
            let ((), asked, given) = heap_of(|| boxes.extend((0..MANY).map(|_| make())));
            assert_eq!((asked, given), (Sum::of(MANY, layout), Sum::NONE));
            assert_eq!(class(), (MANY, MANY * layout.size(), 0));
            let ((), asked, given) = heap_of(|| boxes.clear());
            assert_eq!((asked, given), (Sum::NONE, Sum::of(MANY, layout)));
            assert_eq!(class(), (0, 0, 0));
            let (trimmed, asked, given) = heap_of(typed_pool::$Marker::trim);
            assert_eq!((trimmed, asked, given), (0, Sum::NONE, Sum::NONE), "nothing is kept");

            let (shared, asked, _) = heap_of(|| any::$Rc::<$T>::new($value));
            assert_eq!(asked, Sum::of(1, with_counts::<$T>()));
            let weak = any::$Rc::downgrade(&shared);
            let ((), _, given) = heap_of(|| drop(shared));
            assert_eq!(given, Sum::NONE);
            let ((), _, given) = heap_of(|| drop(weak));
            assert_eq!(given, Sum::of(1, with_counts::<$T>()));
        }};
    }
    check!(ByLayout, Box, Rc, [u8; 21], [1; 21]);
    check!(ByLayout, Box, Rc, [u16; 35], [1; 35]);
    check!(SharedByLayout, SendBox, Arc, [u8; 21], [1; 21]);
}

/// Taken here, given back there.
fn a_block_is_given_back_elsewhere<T: Pooled>(layout: Layout, make: impl Fn() -> T)
where
    PoolBox<T>: Send,
{
    let (boxed, asked, _) = heap_of(|| PoolBox::new(make()));
    assert_eq!(asked, Sum::of(1, layout));
    let there = thread::spawn(|| heap_of(|| drop(boxed)));
    let ((), asked, given) = there.join().unwrap();
    assert_eq!((asked, given), (Sum::NONE, Sum::of(1, layout)));
    assert_eq!((T::pool_stats().live, T::pool_stats().bytes), (0, 0));
}

#[test]
fn threads_share_elements_that_are_blocks() {
    macro_rules! check {
        ($($Element:ident ($($pool:tt)*);)*) => {$(
            #[derive(Pooled)]
            #[pool(rc, $($pool)*)]
            struct $Element(#[expect(dead_code)] [u64; 5]);

            a_shared_element_is_a_block::<$Element, _, _>(
                || PoolArc::new($Element([0; 5])),
                PoolArc::downgrade,
                with_counts::<$Element>(),
            );
            a_block_is_given_back_elsewhere(with_counts::<$Element>(), || $Element([0; 5]));

            {
                #[derive(Pooled)]
                #[pool($($pool)*)]
                struct $Element(#[expect(dead_code)] [u64; 5]);

                a_block_is_given_back_elsewhere(Layout::new::<$Element>(), || $Element([0; 5]));
            }
        )*};
    }

    check! {
        Growing(static);
        GrowingList(static, strategy = free_list);
        Capacity(static, capacity = 10);
        CapacityList(static, capacity = 10, strategy = free_list);
    }
}

#[test]
fn blocks_are_neither_larger_than_their_elements_nor_less_aligned() {
    #[derive(Pooled)]
    #[pool(pad)]
    struct Small(#[expect(dead_code)] u8);

    #[derive(Pooled)]
    #[pool(pad)]
    struct Nothing;

    #[derive(Pooled)]
    #[pool(pad)]
    #[repr(align(32))]
    struct NothingAligned;

    #[derive(Pooled)]
    #[repr(align(4096))]
    struct Page(#[expect(dead_code)] u8);

    a_box_is_a_block(Layout::new::<u8>(), || Small(1));
    a_box_is_a_block(Layout::new::<u8>(), || Nothing);
    let aligned = Layout::from_size_align(32, 32).unwrap();
    a_box_is_a_block(aligned, || NothingAligned);
    a_box_is_a_block(Layout::new::<Page>(), || Page(1));
}

#[test]
fn limits_hold() {
    fn check<T: Pooled>(make: impl Fn() -> T) {
        let mut boxes: Vec<_> = (0..3).map(|_| PoolBox::new(make())).collect();
        let stats = T::pool_stats();
        assert_eq!((stats.live, stats.capacity, stats.limit), (3, 3, Some(3)));
        for _ in 0..3 {
            let (is_refused, asked, given) = heap_of(|| T::pool_try_vacant().is_err());
            assert_eq!((is_refused, asked, given), (true, Sum::NONE, Sum::NONE));
            let error = PoolBox::try_new(make()).err().unwrap();
            assert_eq!(error.capacity(), 3);
            boxes.pop();
            boxes.push(PoolBox::new(make()));
        }
        assert!(catch_unwind(|| T::pool_reserve(4)).is_err());
        drop(boxes);
        T::pool_reserve(3);
        let stats = T::pool_stats();
        assert_eq!((stats.live, stats.high_water, stats.bytes), (0, 3, 0));
    }

    #[derive(Pooled)]
    #[pool(capacity = 3)]
    struct OfThread(#[expect(dead_code)] u64);

    #[derive(Pooled)]
    #[pool(max = 3, chunk = 2)]
    struct OfThreadGrowing(#[expect(dead_code)] u64);

    #[derive(Pooled)]
    #[pool(static, max = 3)]
    struct Growing(#[expect(dead_code)] u64);

    #[derive(Pooled)]
    #[pool(static, capacity = 3)]
    struct Capacity(#[expect(dead_code)] u64);

    check(|| OfThread(1));
    check(|| OfThreadGrowing(1));
    check(|| Growing(1));
    check(|| Capacity(1));
}

/// As with `Box`, and not as at a limit; what may fail says so.
#[test]
fn where_the_heap_has_no_room_the_program_ends() {
    #[derive(Pooled)]
    #[pool(static, capacity = 3)]
    struct Unusual(#[expect(dead_code)] [u8; 1237]);

    const CHILD: &str = "POOL_NO_HEAP";
    if env::var_os(CHILD).is_some() {
        REFUSED.set(size_of::<Unusual>());
        let make = || Unusual([0; 1237]);
        let refused = Unusual::pool_try_alloc_with(make).err().unwrap();
        assert_eq!(refused.reason(), Reason::Heap);
        drop(Unusual::pool_alloc_with(make));
        process::exit(0);
    }
    let mut child = process::Command::new(env::current_exe().unwrap());
    child.args(["--exact", "where_the_heap_has_no_room_the_program_ends", "--nocapture"]);
    let output = child.env(CHILD, "1").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("memory allocation of 1237 bytes failed"), "{said}");
}

/// Boxes and shared elements count towards one fixed capacity.
#[test]
fn a_capacity_of_all_threads_is_never_exceeded() {
    const SLOTS: usize = 5;

    #[derive(Pooled)]
    #[pool(static, capacity = SLOTS, rc)]
    struct Scarce(#[expect(dead_code)] u64);

    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for n in 0..3000 {
                    let boxes: Vec<_> = (0..3).map(|_| PoolBox::try_new(Scarce(n))).collect();
                    let shared: Vec<_> = (0..3).map(|_| PoolArc::try_new(Scarce(n))).collect();
                    let here = boxes.iter().flatten().count() + shared.iter().flatten().count();
                    let stats = Scarce::pool_stats();
                    assert!(here <= stats.live && stats.live <= SLOTS);
                }
            });
        }
    });
    let stats = Scarce::pool_stats();
    assert_eq!((stats.live, stats.high_water, stats.bytes), (0, SLOTS, 0));
    let all: Vec<_> = (0..SLOTS as u64).map(|n| PoolBox::try_new(Scarce(n)).is_ok()).collect();
    assert_eq!(all, [true; SLOTS]);
}

#[test]
fn pools_that_are_values_stay_pools() {
    let pool = FreeList::with_capacity(MANY);
    let mut boxes = Vec::with_capacity(MANY);
    let ((), asked, _) = heap_of(|| boxes.extend((0..MANY as u64).map(|n| pool.alloc(n))));
    assert_eq!((asked, pool.stats().chunks), (Sum::NONE, 1));
    assert!(boxes.iter().all(|b| pool.owns(&**b)));
}
