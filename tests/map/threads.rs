//! Maps of pools that other threads use.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use typed_pool::{PoolBox, Pooled};

use crate::{count, live_in};

/// Whether threads keep free slots at hand. Where each slot is watched they do not.
const KEEP: bool = !cfg!(any(feature = "hardened", feature = "valgrind"));

fn addresses<T: Pooled>(boxes: &[PoolBox<T>]) -> BTreeSet<usize> {
    boxes.iter().map(|element| (&raw const **element).addr()).collect()
}

macro_rules! kept {
    ($name:ident $Shared:ident $($key:tt)*) => {
        /// Slots in another thread's magazine are live to the map, and counted, until that thread ends.
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
            assert_eq!((map.live(), count(&map, |_| true)), (stats.live, stats.capacity));
            assert_eq!(map.live(), 100);
            assert_eq!(map.kept_elsewhere() > 0, KEEP);
            assert!(live_in(&map).is_superset(&addresses(&ours)));
            assert_eq!(live_in(&map).len(), 100 + map.kept_elsewhere());
            assert_eq!(map.to_string().contains("kept by other threads are drawn as live"), KEEP);
            go.send(()).unwrap();
            other.join().unwrap();
            let map = $Shared::pool_map();
            assert_eq!((map.kept_elsewhere(), live_in(&map)), (0, addresses(&ours)));
        }
    };
}

kept!(what_a_thread_keeps_is_counted Shared);
kept!(what_a_thread_keeps_in_a_list_is_counted SharedList, strategy = free_list);

macro_rules! busy {
    ($name:ident $Busy:ident $is_a_guess:literal $($key:tt)*) => {
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
                    // With a capacity no thread waits, and the map may be no consistent snapshot.
                    assert!($is_a_guess || live_in(&map).is_superset(&ours_at));
                    assert!(live_in(&map).len() >= map.live());
                    assert_eq!(map.to_string().lines().filter(|line| line.starts_with("chunk ")).count(), map.chunks().len());
                }
                is_over.store(true, Ordering::Relaxed);
                // To the end of their thread-locals, with which magazines end.
                workers.into_iter().for_each(|worker| worker.join().unwrap());
            });
            let map = $Busy::pool_map();
            assert_eq!((map.kept_elsewhere(), live_in(&map)), (0, ours_at));
        }
    };
}

busy!(others_are_not_kept_waiting Fixed true, capacity = 300);
busy!(others_are_not_kept_waiting_in_a_list FixedList true, capacity = 300, strategy = free_list);
busy!(others_grow_meanwhile Growing false);
busy!(others_are_near_the_limit Limited false, max = 300);
