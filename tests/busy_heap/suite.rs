//! Uses of a pool of either strategy by the heap that it calls.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use typed_pool::Reason;

use super::{PoolBox, Pooled, alone, left};
use crate::with_guest;

pooled! {
    struct Record([u64; 4]);
}

pooled! {
    /// Registers its thread's pool while another pool does.
    struct Other([u64; 4]);
}

thread_local! {
    static KEPT: Cell<Option<PoolBox<Record>>> = const { Cell::new(None) };
}

/// Keeps one more record, which says 7 from then on. The pool may have no slot, as it is the one that waits for the heap.
fn keep_a_record() {
    let [lent, kept] = [8, 7].map(|n| {
        PoolBox::try_new(Record([n; 4])).map_err(|error| assert_eq!(error.reason(), Reason::Heap))
    });
    drop(lent);
    if let Ok(kept) = kept {
        if let Some(earlier) = KEPT.replace(Some(kept)) {
            assert_eq!(earlier.0, [7; 4]);
        }
    }
}

/// How many records the heap has kept.
fn kept() -> usize {
    let kept = KEPT.take();
    let count = usize::from(kept.is_some());
    KEPT.set(kept);
    count
}

#[test]
fn the_heap_may_use_the_pool_that_grows() {
    alone(|| {
        let mut boxes: Vec<PoolBox<Record>> = Vec::with_capacity(3000);
        with_guest(keep_a_record, || {
            for n in 0..3000 {
                boxes.push(PoolBox::new(Record([n; 4])));
            }
        });
        assert!(boxes.iter().zip(0..).all(|(record, n)| record.0 == [n; 4]));
        assert_eq!(Record::pool_stats().live, 3000 + kept());
        with_guest(keep_a_record, || Record::pool_reserve(10_000));
        assert!(boxes.iter().zip(0..).all(|(record, n)| record.0 == [n; 4]));
        assert_eq!(Record::pool_stats().live, 3000 + kept());
        // It was refused where the pool was growing, and only there.
        keep_a_record();
        assert_eq!((Record::pool_stats().live, kept()), (3001, 1));
    });
}

#[test]
fn the_heap_may_use_the_pool_that_is_trimmed() {
    alone(|| {
        let first = PoolBox::new(Record([1; 4]));
        drop((0..3000).map(|n| PoolBox::new(Record([n; 4]))).collect::<Vec<_>>());
        with_guest(keep_a_record, Record::pool_trim);
        let more: Vec<_> = (0..3000).map(|n| PoolBox::new(Record([n; 4]))).collect();
        assert!(more.iter().zip(0..).all(|(record, n)| record.0 == [n; 4]));
        keep_a_record();
        assert_eq!((first.0, Record::pool_stats().live), ([1; 4], 3002));
    });
}

#[test]
fn the_heap_may_trim_the_pool_that_grows() {
    alone(|| {
        pooled! {
            #[pool(chunk = 8)]
            struct Trimmed([u64; 4]);
        }

        const MANY: usize = 10_000;

        thread_local! {
            static CALLS: Cell<usize> = const { Cell::new(0) };
        }

        /// Gives up in the end, so that a pool that would grow for ever fails the test and does not hang it.
        fn trim() {
            CALLS.set(CALLS.get() + 1);
            if CALLS.get() < MANY {
                Trimmed::pool_trim();
            }
        }

        let mut boxes = Vec::with_capacity(3000);
        with_guest(trim, || boxes.extend((0..3000).map(|n| PoolBox::new(Trimmed([n; 4])))));
        assert!(CALLS.get() < MANY, "{} calls of the heap", CALLS.get());
        assert!(boxes.iter().zip(0..).all(|(one, n)| one.0 == [n; 4]));
        assert_eq!(Trimmed::pool_stats().live, 3000);
        with_guest(trim, || Trimmed::pool_reserve(5000));
        assert!(CALLS.get() < MANY, "{} calls of the heap", CALLS.get());
        drop(boxes);
        Trimmed::pool_trim();
        assert_eq!((Trimmed::pool_stats().live, Trimmed::pool_stats().bytes), (0, 0));
    });
}

#[test]
fn the_heap_may_use_a_pool_for_the_first_time_while_another_registers() {
    alone(|| {
        with_guest(
            // Pools by layout are one pool for both.
            || _ = PoolBox::try_new(Other([5; 4])).map(|other| assert_eq!(other.0, [5; 4])),
            || drop(PoolBox::new(Record([1; 4]))),
        );
        assert_eq!((Record::pool_stats().live, Other::pool_stats().live), (0, 0));
    });
}

/// A test of a pool whose box the heap frees at some call. `$body` runs in the thread, and `$end` at its very end, when the pool is
/// closed.
macro_rules! freed_by_the_heap {
    ($name:ident, $Element:ident, chunk = $chunk:literal, $times:expr, $body:expr, $end:expr) => {
        #[test]
        #[cfg_attr(
            all(windows, target_env = "gnu"),
            ignore = "the thread-locals that its heap has would be destroyed before the pools are closed"
        )]
        fn $name() {
            alone(|| {
                pooled! {
                    #[pool(chunk = $chunk)]
                    struct $Element([u64; 4]);
                }

                /// Memory of the pool at the very end of the thread.
                static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

                /// Two of these: one is destroyed before the pool closes, and one after.
                struct AtExit;

                impl Drop for AtExit {
                    fn drop(&mut self) {
                        if IS_LAST.replace(true) {
                            let end: fn(fn(), fn()) = $end;
                            end(guest, free_kept);
                            LEFT.store(left::<$Element>(), Ordering::Relaxed);
                        }
                    }
                }

                thread_local! {
                    /// A box that the heap frees after this many calls. Without a destructor.
                    static KEPT: Cell<*mut $Element> = const { Cell::new(ptr::null_mut()) };
                    static CALLS: Cell<usize> = const { Cell::new(0) };
                    static IS_LAST: Cell<bool> = const { Cell::new(false) };
                    static EARLIER: AtExit = const { AtExit };
                    static LATER: AtExit = const { AtExit };
                }

                fn free_kept() {
                    let kept = KEPT.replace(ptr::null_mut());
                    if !kept.is_null() {
                        // SAFETY: it came from `into_raw`, and was there once.
                        let kept = unsafe { PoolBox::from_raw(kept) };
                        assert_eq!(kept.0, [0; 4]);
                    }
                }

                fn guest() {
                    match CALLS.get().checked_sub(1) {
                        Some(calls) => CALLS.set(calls),
                        None => free_kept(),
                    }
                }

                for calls in 0..$times {
                    let spawned = thread::spawn(move || {
                        EARLIER.with(|_| {});
                        let kept = PoolBox::new($Element([0; 4]));
                        let body: fn(fn()) = $body;
                        LATER.with(|_| {});
                        KEPT.set(PoolBox::into_raw(kept));
                        CALLS.set(calls);
                        body(guest);
                    });
                    spawned.join().unwrap();
                    assert_eq!(LEFT.load(Ordering::Relaxed), 0, "freed after {calls} calls");
                }
            });
        }
    };
}

freed_by_the_heap!(
    the_heap_may_free_the_last_box_of_a_pool_that_closes,
    Closed,
    chunk = 8,
    6,
    |guest| {
        drop((1..9).map(|n| PoolBox::new(Closed([n; 4]))).collect::<Vec<_>>());
        crate::GUEST.set(Some(guest));
    },
    |_, free_kept| free_kept()
);

freed_by_the_heap!(
    the_heap_may_free_the_last_box_of_a_closed_pool_that_grows,
    Grown,
    chunk = 1,
    8,
    |_| {},
    |guest, free_kept| {
        let grown = with_guest(guest, || PoolBox::new(Grown([2; 4])));
        assert_eq!(grown.0, [2; 4]);
        free_kept();
        drop(grown);
    }
);
