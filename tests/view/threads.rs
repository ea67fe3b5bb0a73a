//! What others know of a thread's pools, while it works and when it has ended.

use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::pools::PoolInfo;
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
fn a_roster_and_a_free_list_of_one_history_say_the_same() {
    #[derive(Pooled)]
    #[pool(chunk = 64)]
    struct InList([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster, chunk = 64)]
    struct InRoster([u64; 4]);

    let (to_worker, orders) = channel::<usize>();
    let (done, answers) = channel();
    let worker = thread::spawn(move || {
        let mut kept = Vec::new();
        for count in orders {
            for n in kept.len()..count {
                kept.push(PoolBox::new(InList([n as u64; 4])));
                InRoster::pool_insert(InRoster([n as u64; 4]));
            }
            done.send(()).unwrap();
        }
    });
    let figures = |name: &str| {
        let PoolInfo { threads, live, high_water, capacity, .. } = info(name).unwrap();
        ((threads, live, capacity), high_water)
    };
    for count in [1, 64, 65, 100, 128, 129, 256, 257] {
        to_worker.send(count).unwrap();
        answers.recv().unwrap();
        let [(list, mark), (roster, other_mark)] = ["InList", "InRoster"].map(figures);
        assert_eq!(list, roster, "{count}");
        // With the element that made them grow, or without.
        assert!(mark.abs_diff(other_mark) <= 1, "{count}: {mark} {other_mark}");
    }
    drop(to_worker);
    worker.join().unwrap();
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

#[test]
fn a_box_in_another_thread_local_takes_none_in_the_end() {
    #[derive(Pooled)]
    struct Late([u64; 4]);

    thread_local! {
        static BEFORE: RefCell<Vec<PoolBox<Late>>> = const { RefCell::new(Vec::new()) };
        static AFTER: RefCell<Vec<PoolBox<Late>>> = const { RefCell::new(Vec::new()) };
    }
    let worker = || {
        BEFORE.with(|kept| kept.borrow_mut().push(PoolBox::new(Late([0; 4]))));
        AFTER.with(|kept| kept.borrow_mut().push(PoolBox::new(Late([1; 4]))));
    };
    thread::spawn(worker).join().unwrap();
    assert_eq!((info("Late").unwrap().threads, memory("Late")), (0, [0; 3]));
}

#[test]
fn a_pool_that_is_used_when_its_thread_has_ended_is_no_other_pool() {
    #[derive(Pooled)]
    struct Posthumous([u64; 4]);

    struct Uses;

    impl Drop for Uses {
        fn drop(&mut self) {
            drop(PoolBox::new(Posthumous([0; 4])));
            let found = info("Posthumous").unwrap();
            assert!(found.threads <= 1 && found.live == Some(0), "{found:?}");
        }
    }

    thread_local! {
        static BEFORE: Uses = const { Uses };
        static AFTER: Uses = const { Uses };
    }
    let worker = || {
        BEFORE.with(|_| drop(PoolBox::new(Posthumous([0; 4]))));
        AFTER.with(|_| ());
    };
    thread::spawn(worker).join().unwrap();
    assert_eq!((info("Posthumous").unwrap().threads, memory("Posthumous")), (0, [0; 3]));
}

#[test]
fn what_was_detached_when_its_thread_ended_keeps_no_memory() {
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct Orphan([u64; 4]);

    let detach = || {
        let handle = Orphan::pool_insert(Orphan([0; 4]));
        Orphan::pool_with(|roster| roster.detach(handle)).is_some()
    };
    assert!((0..3).all(|_| thread::spawn(detach).join().unwrap()));
    assert_eq!((info("Orphan").unwrap().threads, memory("Orphan")), (0, [0; 3]));
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

/// A total is never less than nothing, whatever others do meanwhile; and nothing is left when they have ended.
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

#[test]
fn hundreds_of_threads_at_a_time() {
    #[derive(Pooled)]
    struct Many([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster)]
    struct ManyToo(u64);

    let (ready, come) = channel();
    let (go, wait) = channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let workers: Vec<_> = (0..if cfg!(miri) { 40 } else { 200 })
        .map(|n| {
            let (ready, wait) = (ready.clone(), wait.clone());
            thread::spawn(move || {
                let kept = PoolBox::new(Many([n; 4]));
                ManyToo::pool_insert(ManyToo(n));
                let stats = [Many::pool_stats(), ManyToo::pool_stats()];
                ready.send(stats.map(memory_of)).unwrap();
                let _ = wait.lock().unwrap().recv();
                drop(kept);
            })
        })
        .collect();
    let mut sums = [[0; 3]; 2];
    for _ in &workers {
        let theirs = come.recv().unwrap();
        let figures = sums.as_flattened_mut().iter_mut().zip(theirs.as_flattened());
        figures.for_each(|(sum, figure)| *sum += figure);
    }
    let found = || ["Many", "ManyToo"].map(|name| (info(name).unwrap().threads, memory(name)));
    assert_eq!(found(), sums.map(|sum| (workers.len(), sum)));
    drop(go);
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    assert_eq!(found(), [(0, [0; 3]); 2]);
}
