//! Figures of another thread's pools, while it works and when it has ended.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::{PoolBox, Pooled};

use crate::leak::leak;
use crate::{info, memory, memory_of};

#[test]
fn memory_is_exact_and_a_mark_is_that_of_the_last_growth() {
    #[derive(Pooled)]
    #[pool(chunk = 8)]
    struct Worker([u64; 4]);

    let (to_worker, orders) = channel::<usize>();
    let (done, answers) = channel();
    let worker = thread::spawn(move || {
        let mut kept = Vec::new();
        for count in orders {
            kept.resize_with(count, || PoolBox::new(Worker([0; 4])));
            if count == 0 {
                Worker::pool_trim();
            }
            done.send(Worker::pool_stats()).unwrap();
        }
    });
    for (count, high_water) in [(1, 1), (8, 1), (9, 9), (3, 9), (10, 9), (0, 10)] {
        to_worker.send(count).unwrap();
        let theirs = answers.recv().unwrap();
        let found = info("Worker").unwrap();
        assert_eq!((theirs.live, found.live, found.threads), (count, None, 1));
        assert_eq!((memory("Worker"), found.high_water), (memory_of(theirs), high_water));
    }
    to_worker.send(5).unwrap();
    drop(to_worker);
    worker.join().unwrap();
    let found = info("Worker").unwrap();
    assert_eq!((found.threads, found.high_water, memory("Worker")), (0, 10, [0; 3]));
}

/// Each strategy remembers it in its own way.
#[test]
fn the_mark_of_a_thread_that_has_ended_is_known() {
    #[derive(Pooled)]
    struct MarkedList([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = pointer_stack)]
    struct MarkedStack([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct MarkedRoster([u64; 4]);

    thread::spawn(|| {
        drop(
            [0, 1, 2]
                .map(|n| (PoolBox::new(MarkedList([n; 4])), PoolBox::new(MarkedStack([n; 4])))),
        );
        let handles = [0, 1, 2].map(|n| MarkedRoster::pool_insert(MarkedRoster([n; 4])));
        assert!(handles.into_iter().all(|handle| MarkedRoster::pool_remove(handle).is_some()));
    })
    .join()
    .unwrap();
    let marks =
        ["MarkedList", "MarkedStack", "MarkedRoster"].map(|name| info(name).unwrap().high_water);
    assert_eq!(marks, [3; 3]);
}

#[test]
fn what_a_thread_has_leaked_takes_memory() {
    #[derive(Pooled)]
    struct Leaked([u64; 4]);

    for round in 1..4 {
        let leaks = || {
            [0, 1].into_iter().for_each(|n| leak(PoolBox::new(Leaked([n; 4]))));
            Leaked::pool_stats()
        };
        let [slots, chunks, bytes] = memory_of(thread::spawn(leaks).join().unwrap());
        thread::spawn(|| drop(PoolBox::new(Leaked([0; 4])))).join().unwrap();
        assert_eq!(memory("Leaked"), [round * slots, round * chunks, round * bytes]);
        let found = info("Leaked").unwrap();
        assert_eq!((found.threads, found.live, found.high_water), (0, None, 2));
    }
}

/// A guard that is leaked takes the roster with it, and its memory.
#[test]
fn the_thread_of_a_leaked_guard_has_ended() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct TakenAway(u64);

    let leak = || {
        TakenAway::pool_insert(TakenAway(1));
        let stats = TakenAway::pool_stats();
        // What is leaked on purpose is still known, so no tool reports it.
        static KEPT: AtomicUsize = AtomicUsize::new(0);
        let guard = Box::leak(Box::new(TakenAway::pool_borrow_mut()));
        KEPT.store(ptr::from_ref(guard).addr(), Ordering::Relaxed);
        let found = info("TakenAway").unwrap();
        assert_eq!((found.threads, found.live), (1, None), "it is in use");
        memory_of(stats)
    };
    let theirs = thread::spawn(leak).join().unwrap();
    let found = info("TakenAway").unwrap();
    assert_eq!((found.threads, found.live, memory("TakenAway")), (0, None, theirs));
}

/// A total is never less than nothing, whatever others do; and nothing is left when they have ended.
#[test]
fn threads_work_while_another_asks() {
    #[derive(Pooled)]
    #[pool(chunk = 4)]
    struct Busy([u64; 4]);
    #[derive(Pooled)]
    #[pool(static)]
    struct BusyToo([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct BusyRoster(u64);

    static HAS_ENDED: AtomicBool = AtomicBool::new(false);

    thread::scope(|scope| {
        let workers = [(); 3].map(|()| {
            scope.spawn(|| {
                for round in 0..if cfg!(miri) { 3 } else { 200 } {
                    let work = move || {
                        let count = 1 + round % 70;
                        let make = |_| (PoolBox::new(Busy([0; 4])), PoolBox::new(BusyToo([0; 4])));
                        let kept: Vec<_> = (0..count).map(make).collect();
                        for n in 0..count {
                            BusyRoster::pool_insert(BusyRoster(n));
                        }
                        drop(kept);
                        Busy::pool_trim();
                    };
                    if round % 2 == 0 { thread::spawn(work).join().unwrap() } else { work() }
                }
            })
        });
        scope.spawn(|| {
            while !HAS_ENDED.load(Ordering::Relaxed) {
                for info in ["Busy", "BusyRoster"].into_iter().filter_map(info) {
                    let totals = [info.threads, info.capacity, info.chunks, info.bytes];
                    assert!(totals.iter().all(|total| isize::try_from(*total).is_ok()), "{info:?}");
                }
                assert!(typed_pool::report().to_string().lines().count() > 1);
            }
        });
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        HAS_ENDED.store(true, Ordering::Relaxed);
    });
    assert_eq!(info("BusyToo").unwrap().live, Some(0));
    for name in ["Busy", "BusyRoster"] {
        assert_eq!((info(name).unwrap().threads, memory(name)), (0, [0; 3]), "{name}");
    }
}
