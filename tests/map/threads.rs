//! What a map shows of a pool that other threads use.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::pools::SlotUse;
use typed_pool::{PoolBox, Pooled};

use crate::{live_in, slots_in};

/// Whether threads keep free slots at hand. Where each slot is watched they do not.
const KEEP: bool = !cfg!(any(feature = "hardened", feature = "valgrind", feature = "sites"));

fn addresses<T: Pooled>(boxes: &[PoolBox<T>]) -> BTreeSet<usize> {
    boxes.iter().map(|element| (&raw const **element).addr()).collect()
}

macro_rules! kept {
    ($name:ident $Shared:ident $($key:tt)*) => {
        /// What another thread keeps in its magazine is live to the map, and counted, until that thread ends.
        #[test]
        fn $name() {
            #[derive(Pooled)]
            #[pool(static $($key)*)]
            struct $Shared([u64; 4]);

            let ours: Vec<_> = (0..100).map(|n| PoolBox::new($Shared([n; 4]))).collect();
            let (go, wait) = channel::<()>();
            let (say, hear) = channel();
            let other = thread::spawn(move || {
                let theirs: Vec<_> = (0..1000).map(|n| PoolBox::new($Shared([n; 4]))).collect();
                drop(theirs);
                say.send(()).unwrap();
                wait.recv().unwrap();
            });
            hear.recv().unwrap();
            let map = $Shared::pool_map();
            let stats = $Shared::pool_stats();
            assert_eq!((map.live(), map.slots()), (stats.live, stats.capacity));
            assert_eq!(map.live(), 100);
            assert_eq!(map.live() + map.vacant(), map.slots());
            assert_eq!((map.kept_elsewhere() > 0, map.is_exact()), (KEEP, !KEEP));
            assert!(live_in(&map).is_superset(&addresses(&ours)));
            assert_eq!(live_in(&map).len(), 100 + map.kept_elsewhere());
            assert_eq!(map.to_string().contains("kept by other threads"), !map.is_exact());
            let foretold = map.returnable_bytes();
            assert_eq!($Shared::pool_trim(), foretold);
            go.send(()).unwrap();
            other.join().unwrap();
            let map = $Shared::pool_map();
            assert!(map.is_exact());
            assert_eq!(live_in(&map), addresses(&ours));
            let foretold = map.returnable_bytes();
            drop(ours);
            let all = $Shared::pool_map().returnable_bytes();
            assert!(all > foretold);
            assert_eq!($Shared::pool_trim(), all);
        }
    };
}

kept!(what_a_thread_keeps_is_counted Shared);
kept!(what_a_thread_keeps_in_a_list_is_counted SharedList, strategy = free_list);

/// Near a limit it is known which slots a thread holds.
#[test]
fn what_a_thread_holds_is_kept() {
    #[derive(Pooled)]
    #[pool(static, max = 2000)]
    struct Held([u64; 4]);

    let ours = [PoolBox::new(Held([0; 4]))];
    let (go, wait) = channel::<()>();
    let (say, hear) = channel();
    let other = thread::spawn(move || {
        let theirs: Vec<_> = (0..200).map(|n| PoolBox::new(Held([n; 4]))).collect();
        drop(theirs);
        say.send(()).unwrap();
        wait.recv().unwrap();
    });
    hear.recv().unwrap();
    let map = Held::pool_map();
    assert_eq!(live_in(&map), addresses(&ours));
    assert!(map.is_exact());
    let kept = slots_in(&map, |slot| slot == SlotUse::Kept);
    assert_eq!(kept.is_empty(), !KEEP);
    assert_eq!(map.live() + map.vacant(), map.slots());
    assert_eq!(Held::pool_trim(), map.returnable_bytes());
    go.send(()).unwrap();
    other.join().unwrap();
}

macro_rules! busy {
    ($name:ident $Busy:ident $($key:tt)*) => {
        /// While others work, what we have is shown as live, and the figures hang together.
        #[test]
        fn $name() {
            #[derive(Pooled)]
            #[pool(static $($key)*)]
            struct $Busy([u64; 4]);

            let ours: Vec<_> = (0..50).map(|n| PoolBox::new($Busy([n; 4]))).collect();
            let ours_at = addresses(&ours);
            let is_over = AtomicBool::new(false);
            thread::scope(|scope| {
                let workers = [0, 1, 2].map(|seed| {
                    let is_over = &is_over;
                    scope.spawn(move || {
                        let mut random = fastrand::Rng::with_seed(seed);
                        let mut kept = Vec::new();
                        while !is_over.load(Ordering::Relaxed) {
                            if kept.len() < 60 && random.bool() {
                                kept.extend($Busy::pool_try_alloc_with(|| $Busy([1; 4])).ok());
                            } else if !kept.is_empty() {
                                kept.swap_remove(random.usize(..kept.len()));
                            }
                        }
                    })
                });
                for _ in 0..if cfg!(miri) { 5 } else { 300 } {
                    let map = $Busy::pool_map();
                    // With a capacity nobody waits, and all but the moment of an exact look is a guess.
                    let is_sure = map.is_exact() || $Busy::pool_stats().limit != Some(map.slots());
                    assert!(live_in(&map).is_superset(&ours_at) || !is_sure);
                    assert!(map.live() >= 50 || !map.is_exact());
                    assert!(map.live() + map.vacant() >= map.slots());
                    assert_eq!(map.to_string().lines().filter(|line| line.starts_with("chunk ")).count(), map.chunks().len());
                }
                is_over.store(true, Ordering::Relaxed);
                // To the end of their thread-locals, with which magazines end.
                workers.into_iter().for_each(|worker| worker.join().unwrap());
            });
            let map = $Busy::pool_map();
            assert!(map.is_exact());
            assert_eq!(live_in(&map), ours_at);
        }
    };
}

busy!(others_are_not_kept_waiting Fixed, capacity = 300);
busy!(others_are_not_kept_waiting_in_a_list FixedList, capacity = 300, strategy = free_list);
busy!(others_grow_meanwhile Growing);
busy!(others_are_near_the_limit Limited, max = 300);
