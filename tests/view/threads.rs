//! What others know of a thread's pools, while it works and when it has ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::{PoolBox, Pooled};

use crate::leak::leak;
use crate::{all, info};

#[test]
fn another_threads_figures_are_those_of_its_last_growth_or_trim() {
    #[derive(Pooled)]
    #[pool(chunk = 8)]
    struct Worker([u64; 4]);

    let (to_worker, orders) = channel::<usize>();
    let (done, answers) = channel();
    let builder = thread::Builder::new().name("view/worker".into());
    let worker = builder.spawn(move || {
        let mut kept = Vec::new();
        for count in orders {
            kept.resize_with(count, || PoolBox::new(Worker([0; 4])));
            if count == 0 {
                Worker::pool_trim();
            }
            done.send(Worker::pool_stats()).unwrap();
        }
    });
    let worker = worker.unwrap();
    let ask = |count| {
        to_worker.send(count).unwrap();
        answers.recv().unwrap()
    };
    let seen = || {
        let mut found = all("Worker");
        assert_eq!(found.len(), 1);
        let found = found.remove(0);
        assert!(!found.is_exact);
        let thread = found.thread.unwrap();
        assert!(!thread.is_current && !thread.has_ended);
        if cfg!(all(target_os = "linux", not(miri))) {
            assert_eq!(thread.name.as_deref(), Some("view/worker"));
        }
        found
    };
    let at_first = ask(1);
    assert_eq!(seen().stats, at_first);
    ask(8);
    assert_eq!(seen().stats, at_first, "it has not grown");
    let grown = ask(9);
    assert_eq!((seen().stats, seen().grown), (grown, 2));
    let trimmed = ask(0);
    assert_eq!(seen().stats, trimmed);
    drop(to_worker);
    worker.join().unwrap();
    let ended = all("Worker");
    assert_eq!(ended.len(), 1);
    let thread = ended[0].thread.unwrap();
    assert_eq!((thread.id, thread.has_ended, ended[0].stats.live), (0, true, 0));
    assert_eq!((ended[0].stats.high_water, ended[0].grown), (9, 2));
}

#[test]
fn what_a_thread_has_leaked_stays_and_its_totals_too() {
    #[derive(Pooled)]
    struct Leaked([u64; 4]);

    for _ in 0..3 {
        let leaks = || [0, 1].into_iter().for_each(|n| leak(PoolBox::new(Leaked([n; 4]))));
        thread::spawn(leaks).join().unwrap();
        thread::spawn(|| drop(PoolBox::new(Leaked([0; 4])))).join().unwrap();
    }
    let found = all("Leaked");
    let (together, leaked): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|info| info.thread.unwrap().id == 0);
    assert_eq!((together.len(), leaked.len()), (1, 3));
    assert_eq!((together[0].grown, together[0].stats.high_water), (3, 1));
    for leak in leaked {
        assert!(leak.is_exact && leak.thread.unwrap().has_ended);
        assert_eq!((leak.stats.live, leak.stats.chunks), (2, 1));
    }
}

#[test]
fn a_box_in_another_thread_local_is_no_leak_in_the_end() {
    use std::cell::RefCell;

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
    let found = all("Late");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].thread.unwrap().id, found[0].stats.live), (0, 0));
}

#[test]
fn a_pool_that_is_used_when_its_thread_has_ended_is_no_other_pool() {
    #[derive(Pooled)]
    struct Posthumous([u64; 4]);

    struct Uses;

    impl Drop for Uses {
        fn drop(&mut self) {
            drop(PoolBox::new(Posthumous([0; 4])));
            let found = info("Posthumous").filter(|info| info.thread.unwrap().id > 0);
            assert!(found.is_none_or(|info| info.stats.live == 0));
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
    let found = all("Posthumous");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].thread.unwrap().id, found[0].stats.live), (0, 0));
}

/// Each reader sees figures that belong together, whatever others do meanwhile.
#[test]
fn no_figure_is_torn() {
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
                        let kept: Vec<_> = (0..count).map(|_| PoolBox::new(Busy([0; 4]))).collect();
                        let too: Vec<_> =
                            (0..count).map(|_| PoolBox::new(BusyToo([0; 4]))).collect();
                        for n in 0..count {
                            BusyRoster::pool_insert(BusyRoster(n));
                        }
                        drop((kept, too));
                        Busy::pool_trim();
                    };
                    if round % 2 == 0 { thread::spawn(work).join().unwrap() } else { work() }
                }
            })
        });
        scope.spawn(|| {
            while !HAS_ENDED.load(Ordering::Relaxed) {
                for name in ["Busy", "BusyRoster"] {
                    for info in all(name) {
                        let stats = info.stats;
                        assert!(stats.live <= stats.high_water, "{info:?}");
                        assert_eq!(stats.chunks == 0, stats.capacity == 0, "{info:?}");
                        assert!(stats.capacity * stats.slot_bytes <= stats.bytes, "{info:?}");
                        assert!(stats.chunks <= info.grown, "{info:?}");
                    }
                }
                assert!(typed_pool::report().to_string().lines().count() > 1);
            }
        });
        workers.into_iter().for_each(|worker| worker.join().unwrap());
        HAS_ENDED.store(true, Ordering::Relaxed);
    });
    assert_eq!(info("BusyToo").unwrap().stats.live, 0);
}

/// More pools at a time than there are entries in the first block.
#[test]
fn hundreds_of_pools_at_a_time() {
    #[derive(Pooled)]
    struct Many([u64; 4]);

    let (ready, come) = channel();
    let (go, wait) = channel::<()>();
    let wait = std::sync::Arc::new(std::sync::Mutex::new(wait));
    let workers: Vec<_> = (0..if cfg!(miri) { 40 } else { 200 })
        .map(|n| {
            let (ready, wait) = (ready.clone(), wait.clone());
            thread::spawn(move || {
                let kept = PoolBox::new(Many([n; 4]));
                ready.send(()).unwrap();
                let _ = wait.lock().unwrap().recv();
                drop(kept);
            })
        })
        .collect();
    workers.iter().for_each(|_| come.recv().unwrap());
    let found = all("Many");
    assert_eq!(found.len(), workers.len());
    assert!(found.iter().all(|info| info.stats.live == 1 && info.grown == 1));
    let mut ids: Vec<_> = found.iter().map(|info| info.thread.unwrap().id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), workers.len());

    drop(go);
    let count = workers.len();
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    let found = all("Many");
    assert_eq!((found.len(), found[0].grown), (1, count));
}

#[test]
fn a_roster_and_a_free_list_of_one_history_say_the_same() {
    #[derive(Pooled)]
    #[pool(chunk = 64)]
    struct InList([u64; 4]);
    #[derive(Pooled)]
    #[pool(strategy = roster, chunk = 64)]
    struct InRoster([u64; 4]);

    let figures = |name: &str| {
        let stats = all(name).iter().find(|info| !info.is_exact).unwrap().stats;
        (stats.live, stats.high_water, stats.capacity)
    };
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
    for count in [1, 64, 65, 100, 128, 129, 256, 257] {
        to_worker.send(count).unwrap();
        answers.recv().unwrap();
        assert_eq!(figures("InList"), figures("InRoster"), "{count}");
    }
    drop(to_worker);
    worker.join().unwrap();
}
