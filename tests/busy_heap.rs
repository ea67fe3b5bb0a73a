//! A heap that itself uses pools: whenever a pool asks for memory or gives some back, the allocator takes elements from that very
//! pool, as far as it has some at hand, and frees some.

use std::alloc::{GlobalAlloc, Layout, System};
use std::any::type_name;
use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::Duration;

use typed_pool::pools::{PoolInfo, pools};
use typed_pool::{ByLayout, PoolBox, Pooled, Reason, SharedByLayout, any};

thread_local! {
    /// The heap's work before each request; `None` while it does it.
    static GUEST: Cell<Option<fn()>> = const { Cell::new(None) };
    /// Calls of a guest that counts them.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// More calls than a test needs.
const MANY: usize = 10_000;

/// Calls `trim`, but gives up in the end, so that a pool that would grow for ever fails the test and does not hang it.
fn count_and(trim: impl FnOnce()) {
    CALLS.set(CALLS.get() + 1);
    if CALLS.get() < MANY {
        trim();
    }
}

fn assert_few_calls() {
    assert!(CALLS.get() < MANY, "{} calls of the heap", CALLS.get());
}

/// Calls the guest before every request, but not from within the guest.
struct BusyHeap;

fn call_guest() {
    if let Some(guest) = GUEST.take() {
        guest();
        GUEST.set(Some(guest));
    }
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for BusyHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        call_guest();
        // SAFETY: the caller asks for a layout with a size.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        call_guest();
        // SAFETY: the caller gives up a block with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: BusyHeap = BusyHeap;

/// Runs `f` while the heap calls `guest`.
fn with_guest<R>(guest: fn(), f: impl FnOnce() -> R) -> R {
    GUEST.set(Some(guest));
    let result = f();
    GUEST.set(None);
    result
}

/// Checks that each element has the value of its place.
fn assert_in_order<T: Pooled + PartialEq + From<u64>>(boxes: &[PoolBox<T>]) {
    assert!(boxes.iter().zip(0..).all(|(boxed, n)| **boxed == T::from(n)));
}

macro_rules! element {
    ($Element:ident $(#[$attribute:meta])*) => {
        #[derive(Pooled, PartialEq)]
        $(#[$attribute])*
        struct $Element([u64; 4]);

        impl From<u64> for $Element {
            fn from(n: u64) -> Self {
                Self([n; 4])
            }
        }
    };
}

/// Tests of both strategies' thread-local pools.
macro_rules! strategies {
    ($($strategy:ident $Pool:ident)*) => {$(
        mod $strategy {
            use super::*;

            element!(Record #[pool(strategy = $strategy, max = 6001)]);
            element!(Other #[pool(strategy = $strategy)]);
            element!(Trimmed #[pool(strategy = $strategy, chunk = 8)]);
            element!(Closed #[pool(strategy = $strategy, chunk = 1)]);

            thread_local! {
                static KEPT: RefCell<Vec<PoolBox<Record>>> = const { RefCell::new(Vec::new()) };
            }

            /// Keeps one more record, and makes and frees another. The pool that waits for the heap may have no slot.
            fn keep_a_record() {
                let made = [7, 8].map(|n| {
                    PoolBox::try_new(Record::from(n))
                        .map_err(|error| assert_eq!(error.reason(), Reason::Heap))
                });
                let [Ok(kept), _] = made else { return };
                KEPT.with_borrow_mut(|all| (all.len() < 2400).then(|| all.push(kept)));
            }

            fn kept() -> usize {
                KEPT.with_borrow(|kept| {
                    assert!(kept.iter().all(|record| **record == Record::from(7)));
                    kept.len()
                })
            }

            #[test]
            fn the_heap_may_use_the_pool_that_grows_and_is_trimmed() {
                KEPT.with_borrow_mut(|kept| kept.reserve(2400));
                let mut boxes = Vec::with_capacity(6001);
                with_guest(keep_a_record, || {
                    boxes.extend((0..1000).map(|n| PoolBox::new(Record::from(n))));
                    Record::pool_reserve(3000);
                    boxes.truncate(10);
                    Record::pool_trim();
                    while let Ok(boxed) = PoolBox::try_new(Record::from(boxes.len() as u64)) {
                        boxes.push(boxed);
                    }
                });
                // No slot too many, and none lost.
                assert_in_order(&boxes);
                assert_eq!((boxes.len() + kept(), Record::pool_stats().capacity), (6001, 6001));
                boxes.truncate(10);
                // It was refused where the pool was growing, and only there.
                let before = kept();
                keep_a_record();
                assert_eq!((Record::pool_stats().live, kept()), (11 + before, before + 1));
            }

            #[test]
            fn the_heap_may_trim_the_pool_that_grows() {
                let trim = || count_and(|| _ = Trimmed::pool_trim());
                let mut boxes = Vec::with_capacity(3000);
                with_guest(trim, || boxes.extend((0..3000).map(|n| PoolBox::new(Trimmed::from(n)))));
                with_guest(trim, || Trimmed::pool_reserve(5000));
                assert_few_calls();
                assert_in_order(&boxes);
                drop(boxes);
                Trimmed::pool_trim();
                assert_eq!((Trimmed::pool_stats().live, Trimmed::pool_stats().bytes), (0, 0));
            }

            #[test]
            fn the_heap_may_use_the_pool_that_is_mapped_and_printed() {
                thread_local! {
                    static POOL: typed_pool::$Pool<u64> = typed_pool::$Pool::new();
                }

                fn guest() {
                    POOL.with(|pool| {
                        let made = (0..50).map(|n| pool.alloc(n)).collect::<Vec<_>>();
                        assert!(pool.map().live() >= made.len());
                    });
                }

                POOL.with(|pool| {
                    // Every second slot is free. The heap writes into these what leads nowhere if it is read as a link.
                    let mut boxes = (0..100).map(|n| Some(pool.alloc(n))).collect::<Vec<_>>();
                    boxes.iter_mut().step_by(2).for_each(|slot| *slot = None);
                    let (map, shown) = with_guest(guest, || (pool.map(), pool.to_string()));
                    assert!(map.live() >= 50);
                    assert!(shown.starts_with(concat!(stringify!($Pool), " of u64: ")), "{shown}");
                    assert!(boxes.iter().zip(0..).all(|(slot, n)| slot.as_deref().is_none_or(|&m| m == n)));
                });
            }

            #[test]
            fn the_heap_may_use_a_pool_for_the_first_time_while_another_registers() {
                let guest = || assert!(*PoolBox::new(Other::from(5)) == Other::from(5));
                with_guest(guest, || drop(PoolBox::new(Record::from(1))));
                assert_eq!((Record::pool_stats().live, Other::pool_stats().live), (0, 0));
            }

            /// The heap frees the last box at some call, while the pool closes or when it is closed and grows.
            #[test]
            #[cfg_attr(
                all(windows, target_env = "gnu"),
                ignore = "the thread-locals that its heap has would be destroyed before the pools are closed"
            )]
            fn the_heap_may_free_the_last_box_of_a_pool_that_has_closed_or_does() {
                /// Two of these: one is destroyed before the pool closes, and one after.
                struct AtExit;

                impl Drop for AtExit {
                    fn drop(&mut self) {
                        if IS_CLOSED.replace(true) {
                            let grown = PoolBox::new(Closed::from(2));
                            assert!(*grown == Closed::from(2));
                            GUEST.set(None);
                            free_last();
                            drop(grown);
                        }
                    }
                }

                thread_local! {
                    /// A box that the heap frees after so many calls. Without a destructor.
                    static LAST: Cell<Option<ManuallyDrop<PoolBox<Closed>>>> =
                        const { Cell::new(None) };
                    static IS_CLOSED: Cell<bool> = const { Cell::new(false) };
                    static EARLIER: AtExit = const { AtExit };
                    static LATER: AtExit = const { AtExit };
                }

                fn free_last() {
                    if let Some(last) = LAST.take().map(ManuallyDrop::into_inner) {
                        assert!(*last == Closed::from(0));
                    }
                }

                fn guest() {
                    match CALLS.get().checked_sub(1) {
                        Some(calls) => CALLS.set(calls),
                        None => {
                            free_last();
                            Closed::pool_trim();
                        }
                    }
                }

                for calls in 0..16 {
                    let thread = thread::spawn(move || {
                        EARLIER.with(|_| {});
                        LAST.set(Some(ManuallyDrop::new(PoolBox::new(Closed::from(0)))));
                        LATER.with(|_| {});
                        CALLS.set(calls);
                        drop((1..9).map(|n| PoolBox::new(Closed::from(n))).collect::<Vec<_>>());
                        GUEST.set(Some(guest));
                    });
                    thread.join().unwrap();
                    // Of all threads. (Where thread-locals are emulated, the last box may lie in a new pool, which closes later.)
                    let is_it = |info: &PoolInfo| info.type_name == type_name::<Closed>();
                    let closed = pools().find(is_it).unwrap();
                    let left = (closed.threads, closed.chunks, closed.bytes);
                    assert_eq!(left, (0, 0, 0), "freed after {calls} calls");
                }
            }
        }
    )*};
}

strategies! { free_list FreeList pointer_stack PointerStack }

/// A static pool calls the heap behind its lock, and gives batches from thread to thread.
#[test]
fn the_heap_may_use_a_static_pool() {
    fn check<T: Pooled + PartialEq + From<u64> + Send>() {
        /// Fetches batches, and gives some back, as far as there are any; and makes a map, which needs memory itself.
        fn guest<T: Pooled + PartialEq + From<u64>>() {
            let made =
                (0..700).map_while(|n| PoolBox::try_new(T::from(n)).ok()).collect::<Vec<_>>();
            assert_in_order(&made);
            assert!(T::pool_map().live() >= made.len());
        }
        with_guest(guest::<T>, || {
            for count in [10, 3000, 20_000] {
                let boxes = (0..count).map(|n| PoolBox::new(T::from(n))).collect::<Vec<_>>();
                assert_eq!(T::pool_stats().live as u64, count);
                T::pool_reserve(100_000 + count as usize);
                assert!(T::pool_map().live() >= boxes.len());
                assert_in_order(&boxes);
                drop(boxes);
                T::pool_trim();
            }
        });
        T::pool_trim();
        let stats = T::pool_stats();
        assert_eq!((stats.live, stats.bytes), (0, 0));
    }

    element!(List #[pool(static, strategy = free_list, chunk = 50)]);
    element!(Limited #[pool(static, max = 200_000, chunk = 50)]);
    element!(Stack #[pool(static, chunk = 50)]);
    check::<List>();
    check::<Limited>();
    check::<Stack>();
}

/// Two threads have the lock of a pool each, and the heap looks at both pools in both threads, and flushes them.
#[cfg(not(miri))]
#[test]
fn the_heap_may_look_at_pools_whose_locks_others_have() {
    element!(One #[pool(static)]);
    element!(Two #[pool(static)]);

    static BOTH: Barrier = Barrier::new(2);
    thread_local! {
        static IS_FIRST: Cell<bool> = const { Cell::new(true) };
    }

    fn guest() {
        if IS_FIRST.replace(false) {
            BOTH.wait();
            let listed = pools().filter(|info| info.type_name.contains("whose_locks_others_have"));
            assert_eq!(listed.count(), 2);
            typed_pool::flush_thread();
            BOTH.wait();
        }
    }

    let (done, all) = mpsc::channel();
    for reserve in [One::pool_reserve, Two::pool_reserve] {
        let done = done.clone();
        thread::spawn(move || {
            // So both threads have magazines of both pools.
            drop((PoolBox::new(One::from(0)), PoolBox::new(Two::from(0))));
            BOTH.wait();
            with_guest(guest, || reserve(1000));
            done.send(()).unwrap();
        });
    }
    for _ in 0..2 {
        all.recv_timeout(Duration::from_secs(60)).expect("no thread waits for ever");
    }
}

#[test]
fn the_heap_may_use_pools_by_layout() {
    macro_rules! check {
        ($Box:ident $Marker:ident) => {{
            fn guest() {
                let made = (0..9).map_while(|n| any::$Box::try_new([n; 4]).ok());
                assert!(
                    made.collect::<Vec<_>>().iter().zip(0..).all(|(boxed, n)| **boxed == [n; 4])
                );
                count_and(|| _ = $Marker::trim());
            }

            with_guest(guest, || {
                let boxes = (0..3000_u64).map(|n| any::$Box::new([n; 4])).collect::<Vec<_>>();
                $Marker::reserve(Layout::new::<[u64; 4]>(), 10_000);
                assert!(boxes.iter().zip(0..).all(|(boxed, n)| **boxed == [n; 4]));
                drop(boxes);
                $Marker::trim();
            });
            assert_few_calls();
            let live: usize = $Marker::stats().map(|pool| pool.live).sum();
            assert_eq!(live, 0);
        }};
    }

    check!(Box ByLayout);
    check!(SendBox SharedByLayout);
}
