//! Rosters: values, of threads, and of all threads.

use std::alloc::Layout;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::{array, mem, thread};

use typed_pool::{Handle, Pooled, Roster};

use crate::{MANY, Sum, heap_of};

/// An element is a block with its own layout from the moment it is put in until it goes, by whatever way. The roster
/// is new, and has its tables already.
fn an_element_is_a_block<T>(roster: &mut Roster<T>, make: impl Fn() -> T) {
    let blocks = |count| match size_of::<T>() {
        0 => Sum::NONE,
        _ => Sum::of(count, Layout::new::<T>()),
    };
    let in_and_out = |count| (blocks(count), blocks(count));
    let none_given = |count| (blocks(count), Sum::NONE);
    let none_asked = |count| (Sum::NONE, blocks(count));
    /// What is asked of the heap, and given back.
    fn heap<R>(f: impl FnOnce() -> R) -> (Sum, Sum) {
        let (_, asked, given) = heap_of(f);
        (asked, given)
    }

    roster.reserve(MANY);
    let stats = roster.stats();
    let (tables, capacity) = (stats.bytes, stats.capacity);
    assert_eq!(stats.chunks, 0, "nothing is reserved");
    assert_eq!(heap(|| roster.prefault()), (Sum::NONE, Sum::NONE));
    let insert = || array::from_fn::<Handle<T>, MANY, _>(|_| roster.insert(make()));
    let (handles, asked, given) = heap_of(insert);
    assert_eq!((asked, given), none_given(MANY));
    assert!(roster.values().all(|element| (&raw const *element).is_aligned()));
    let stats = roster.stats();
    assert_eq!((stats.live, stats.high_water, stats.capacity), (MANY, MANY, capacity));
    assert_eq!((stats.chunks, stats.slot_bytes), (blocks(MANY).blocks, size_of::<T>()));
    assert_eq!(stats.bytes, tables + blocks(MANY).bytes);

    // One by one.
    assert_eq!(heap(|| roster.remove(handles[0])), none_asked(1));
    assert_eq!(heap(|| roster.remove(handles[0])), (Sum::NONE, Sum::NONE), "a stale handle");
    let pair = || roster.try_insert(make()).ok().and_then(|handle| roster.remove(handle));
    assert_eq!(heap(pair), in_and_out(1));
    assert_eq!(heap(|| roster.insert_with(|_| make())), none_given(1));
    let (detached, asked, given) = heap_of(|| roster.detach(handles[1]));
    assert_eq!((asked, given), none_asked(1));
    let detached = detached.unwrap();
    assert_eq!(heap(|| roster.reattach(handles[1], detached)), none_given(1));
    assert_eq!(heap(|| roster.detach(handles[1])), none_asked(1));
    assert_eq!(heap(|| roster.try_reattach(handles[1], make()).is_ok()), none_given(1));
    assert_eq!(heap(|| roster.drain().next().map(mem::forget)), none_asked(MANY));

    // Several.
    let fill = |roster: &mut Roster<T>| {
        roster.extend((roster.len()..MANY).map(|_| make()));
        roster.len()
    };
    assert_eq!(heap(|| fill(roster)), none_given(MANY));
    assert_eq!(heap(|| roster.retain(|handle, _| handle.index() % 10 == 0)), none_asked(90));
    assert_eq!(roster.stats().bytes, tables + blocks(10).bytes);
    assert_eq!(heap(|| fill(roster)), none_given(90));
    assert_eq!(heap(|| roster.clear()), none_asked(MANY));
    assert_eq!((roster.stats().chunks, roster.stats().bytes), (0, tables));
    fill(roster);
    assert_eq!(heap(|| roster.drain().count()), none_asked(MANY));
    fill(roster);
    assert_eq!(heap(|| mem::forget(roster.drain())), (Sum::NONE, Sum::NONE));
    // Those that stay keep nothing of what lies behind them.
    roster.retain(|handle, _| handle.index() < 3);
    roster.shrink_to_fit();
    assert_eq!((roster.capacity(), roster.stats().chunks), (3, blocks(3).blocks));
    assert!(roster.stats().bytes < tables / 2 + blocks(3).bytes);
}

/// What is in a roster that ends goes with it, and a clone has blocks of its own.
fn a_roster_ends_with_its_blocks<T: Clone>(element: T) {
    let layout = Layout::new::<T>();
    let [mut full, empty] = array::from_fn(|_| Roster::with_capacity(MANY));
    full.extend(std::iter::repeat_n(element, MANY));
    let [(clone, asked, _), (without, of_tables, _)] =
        [&full, &empty].map(|roster| heap_of(|| roster.clone()));
    assert_eq!(asked, of_tables.and(Sum::of(MANY, layout)));
    for (full, empty) in [(full, empty), (clone, without)] {
        let ((), _, of_tables) = heap_of(|| drop(empty));
        let ((), asked, given) = heap_of(|| drop(full));
        assert_eq!((asked, given), (Sum::NONE, of_tables.and(Sum::of(MANY, layout))));
    }
}

#[derive(Clone)]
struct Small(#[expect(dead_code)] u8);

#[derive(Clone)]
struct Words(#[expect(dead_code)] [u32; 7]);

#[derive(Clone)]
#[repr(align(4096))]
struct Page(#[expect(dead_code)] u8);

#[derive(Clone)]
struct Nothing;

thread_local! {
    /// How many destructors return before one panics.
    static FUSE: Cell<Option<usize>> = const { Cell::new(None) };
}

/// With a destructor.
#[derive(Clone)]
struct Mortal(#[expect(dead_code)] [u16; 5]);

impl Drop for Mortal {
    fn drop(&mut self) {
        let left = FUSE.get().map(|left| left.checked_sub(1));
        FUSE.set(left.flatten());
        if left == Some(None) {
            resume_unwind(Box::new("burnt down"));
        }
    }
}

#[test]
fn values() {
    an_element_is_a_block(&mut Roster::new(), || Small(1));
    an_element_is_a_block(&mut Roster::new(), || Words([1; 7]));
    an_element_is_a_block(&mut Roster::new(), || Page(1));
    an_element_is_a_block(&mut Roster::new(), || Nothing);
    an_element_is_a_block(&mut Roster::new(), || Mortal([1; 5]));
    a_roster_ends_with_its_blocks(Small(1));
    a_roster_ends_with_its_blocks(Words([1; 7]));
    a_roster_ends_with_its_blocks(Page(1));
    a_roster_ends_with_its_blocks(Mortal([1; 5]));
}

#[test]
fn a_destructor_that_panics_costs_no_block() {
    for calls in 0..3 {
        let mut roster = Roster::from_iter(array::from_fn::<_, MANY, _>(|n| Mortal([n as u16; 5])));
        FUSE.set(Some(calls));
        assert!(catch_unwind(AssertUnwindSafe(|| roster.clear())).is_err());
        let stats = roster.stats();
        assert_eq!((stats.live, stats.chunks), (MANY - calls - 1, MANY - calls - 1));
        FUSE.set(Some(calls));
        assert!(catch_unwind(AssertUnwindSafe(|| roster.retain(|_, _| false))).is_err());
        assert_eq!(roster.stats().chunks, roster.len());
    }
}

macro_rules! derived {
    ($($name:ident: $Element:ident $pool:tt;)*) => {$(
        #[derive(Pooled)]
        #[pool $pool]
        struct $Element(#[expect(dead_code)] [u32; 7]);

        #[test]
        fn $name() {
            $Element::pool_with(|roster| an_element_is_a_block(roster, || $Element([1; 7])));
            let layout = Layout::new::<$Element>();
            $Element::pool_clear();
            $Element::pool_reserve(MANY);
            let insert = || array::from_fn::<_, MANY, _>(|_| $Element::pool_insert($Element([2; 7])));
            let (handles, asked, given) = heap_of(insert);
            assert_eq!((asked, given), (Sum::of(MANY, layout), Sum::NONE));
            let (_, asked, given) = heap_of(|| $Element::pool_remove(handles[7]));
            assert_eq!((asked, given), (Sum::NONE, Sum::of(1, layout)));
            let (_, asked, given) = heap_of($Element::pool_clear);
            assert_eq!((asked, given), (Sum::NONE, Sum::of(MANY - 1, layout)));
            assert_eq!($Element::pool_stats().chunks, 0);
        }
    )*};
}

derived! {
    of_a_thread: OfThread(strategy = roster);
    of_a_thread_with_a_limit: Limited(strategy = roster, capacity = 150);
    of_all_threads: OfAll(static, strategy = roster);
    of_all_threads_with_a_limit: LimitedOfAll(static, strategy = roster, max = 200);
}

#[test]
fn what_one_thread_puts_in_another_gives_back() {
    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Message(#[expect(dead_code)] [u8; 37]);

    Message::pool_reserve(1);
    let layout = Layout::new::<Message>();
    let (handle, asked, _) = heap_of(|| Message::pool_insert(Message([1; 37])));
    assert_eq!(asked, Sum::of(1, layout));
    let there = thread::spawn(move || heap_of(|| Message::pool_remove(handle).is_some()));
    assert_eq!(there.join().unwrap(), (true, Sum::NONE, Sum::of(1, layout)));
}
