//! `#[pool(static, capacity = N)]`: one pool for the whole process, in `.bss`.
//!
//! Each test has types of its own, since each type has one pool.

use std::panic::catch_unwind;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use typed_pool::{PoolBox, Pooled};

/// For tests that go on until a deadline, less under tools that slow them down.
const PATIENCE: Duration = Duration::from_millis(if cfg!(debug_assertions) { 150 } else { 400 });

/// Both strategies, each with its own type and capacity.
macro_rules! pooled {
    ($Name:ident($ty:ty) $strategy:ident $capacity:literal) => {
        #[derive(Pooled, Debug, PartialEq)]
        #[pool(static, strategy = $strategy, capacity = $capacity)]
        struct $Name($ty);
    };
}

#[test]
fn elements_come_and_go() {
    #[derive(Pooled, Default, Debug, PartialEq)]
    #[pool(static, capacity = 3, name = "three")]
    struct Three(u64, u32);

    let one = Three::pool_alloc();
    let two = PoolBox::new(Three(2, 2));
    let three = Three::pool_alloc_with(|| Three(3, 3));
    assert_eq!((&*one, &*two, &*three), (&Three(0, 0), &Three(2, 2), &Three(3, 3)));

    assert_eq!(PoolBox::try_new(Three(4, 4)).unwrap_err().into_inner(), Three(4, 4));
    assert!(Three::pool_try_vacant().is_err());
    assert!(catch_unwind(Three::pool_alloc).is_err());

    let at = PoolBox::as_ptr(&two);
    Three::pool_free(two);
    let again = PoolBox::new(Three(5, 5));
    let is_again = PoolBox::as_ptr(&again) == at;
    assert!(is_again, "the last one freed is the first to be used again");
    assert_eq!(PoolBox::into_inner(again), Three(5, 5));
    drop((one, three));

    let stats = Three::pool_stats();
    assert_eq!((stats.name, stats.live, stats.high_water), ("three", 0, 3));
    assert_eq!((stats.capacity, stats.limit, stats.chunks), (3, Some(3), 1));
    assert_eq!(stats.slot_bytes, size_of::<Three>());
    assert!(stats.bytes >= 3 * size_of::<Three>() + 3 * 4);
}

#[test]
fn slots_are_aligned_and_apart() {
    fn check<T: Pooled + std::fmt::Debug>(make: impl Fn(u8) -> T, show: impl Fn(&T) -> u8) {
        let capacity = T::pool_stats().capacity;
        let boxes: Vec<_> = (0..capacity).map(|n| PoolBox::new(make(n as u8))).collect();
        assert!(PoolBox::try_new(make(0)).is_err());
        let mut at: Vec<_> = boxes.iter().map(|b| PoolBox::as_ptr(b).addr()).collect();
        assert!(at.iter().all(|at| at % align_of::<T>() == 0));
        at.sort_unstable();
        let apart: Vec<_> = at.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let stride = T::pool_stats().slot_bytes;
        let is_side_by_side = apart.iter().all(|&bytes| bytes == stride);
        assert!(is_side_by_side);
        assert!(apart.iter().all(|&bytes| bytes >= stride));
        assert!(boxes.iter().enumerate().all(|(n, b)| show(b) == n as u8));
        drop(boxes);
        assert_eq!(T::pool_stats().live, 0);
    }

    #[derive(Debug, PartialEq)]
    #[repr(align(64))]
    struct Aligned(u8);

    pooled!(Byte(u8) pointer_stack 100);
    pooled!(Linked(u8) free_list 100);
    pooled!(Odd([u8; 7]) pointer_stack 33);
    pooled!(OddLinked([u8; 7]) free_list 33);
    pooled!(Page(Aligned) pointer_stack 9);
    pooled!(PageLinked(Aligned) free_list 9);
    pooled!(One(u64) pointer_stack 1);
    check(Byte, |e| e.0);
    check(Linked, |e| e.0);
    check(|n| Odd([n; 7]), |e| e.0[6]);
    check(|n| OddLinked([n; 7]), |e| e.0[6]);
    check(|n| Page(Aligned(n)), |e| e.0.0);
    check(|n| PageLinked(Aligned(n)), |e| e.0.0);
    check(|n| One(n.into()), |e| e.0 as u8);
    let both = [Byte::pool_stats(), Linked::pool_stats()];
    assert_eq!(both.map(|of| (of.slot_bytes, of.strategy == *"pointer_stack")), [(1, true); 2]);
}

#[test]
fn elements_drop_before_their_slots_are_free_and_in_the_order_of_their_boxes() {
    static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

    #[derive(Pooled)]
    #[pool(static, capacity = 3)]
    struct Node {
        name: u8,
        #[expect(dead_code, reason = "dropped")]
        next: Option<PoolBox<Node>>,
    }

    impl Drop for Node {
        fn drop(&mut self) {
            // Full, to the last slot, until this returns.
            assert!(Node::pool_try_vacant().is_err() || self.name != 1);
            LOG.lock().unwrap().push(self.name);
        }
    }

    let three = PoolBox::new(Node { name: 3, next: None });
    let two = PoolBox::new(Node { name: 2, next: Some(three) });
    drop(PoolBox::new(Node { name: 1, next: Some(two) }));
    assert_eq!(*LOG.lock().unwrap(), [1, 2, 3]);
    assert_eq!(Node::pool_stats().live, 0);
}

#[test]
fn room_is_there_from_the_start() {
    pooled!(Few(u64) pointer_stack 4);

    let kept = PoolBox::new(Few(1));
    Few::pool_reserve(4);
    assert!(catch_unwind(|| Few::pool_reserve(5)).is_err());
    assert_eq!(Few::pool_trim(), 0);
    drop(kept);
}

/// Though never-used slots are left, each thread gets its own again.
#[test]
fn a_thread_has_again_what_it_has_freed() {
    pooled!(Stacked(u64) pointer_stack 100);
    pooled!(Listed(u64) free_list 100);

    for round in 1..=4 {
        let twice = || {
            let address = || {
                let boxes = (PoolBox::new(Stacked(1)), PoolBox::new(Listed(1)));
                (PoolBox::as_ptr(&boxes.0).addr(), PoolBox::as_ptr(&boxes.1).addr())
            };
            assert_eq!(address(), address());
        };
        thread::spawn(twice).join().unwrap();
        assert!(Stacked::pool_stats().high_water <= round);
    }
}

/// Wherever slots were freed, one thread gets all of them.
#[test]
fn no_slot_is_out_of_reach() {
    fn check<T: Pooled>(make: fn(u64) -> T)
    where
        PoolBox<T>: Send,
    {
        let slots = T::pool_stats().capacity;
        // More threads than shards. Each ends with freed slots in its own.
        for round in 0..3 {
            let threads = 12;
            let mut all: Vec<_> = (0..slots as u64).map(|n| PoolBox::new(make(n))).collect();
            assert!(T::pool_try_vacant().is_err(), "round {round}");
            thread::scope(|scope| {
                while !all.is_empty() {
                    let some = all.split_off(all.len() - all.len().min(slots / threads + 1));
                    scope.spawn(move || drop(some));
                }
            });
            assert_eq!(T::pool_stats().live, 0);
        }
    }
    pooled!(Stacked(u64) pointer_stack 100);
    pooled!(Listed(u64) free_list 100);
    check(Stacked);
    check(Listed);
}

/// One slot for each thread, and one for the place where they exchange boxes: when a thread
/// allocates, one is free, in some shard.
#[test]
fn nobody_is_refused_what_is_there() {
    const THREADS: usize = 3;
    static PLACE: Mutex<Option<PoolBox<Scarce>>> = Mutex::new(None);
    pooled!(Scarce(usize) pointer_stack 4);

    let deadline = Instant::now() + PATIENCE;
    thread::scope(|scope| {
        for id in 0..THREADS {
            scope.spawn(move || {
                while Instant::now() < deadline {
                    for _ in 0..100 {
                        let mine = PoolBox::try_new(Scarce(id)).expect("there is one");
                        assert_eq!(mine.0, id);
                        let theirs = PLACE.lock().unwrap().replace(mine);
                        drop(theirs);
                    }
                }
            });
        }
    });
    drop(PLACE.lock().unwrap().take());
    assert_eq!(Scarce::pool_stats().live, 0);
}

/// The figures are plausible while other threads work, and exact when none does.
#[test]
fn figures_while_others_work() {
    // Many more slots than are in use, so that a count that goes astray can go far.
    pooled!(Busy(u64) pointer_stack 4096);

    let deadline = Instant::now() + PATIENCE;
    let start = Arc::new(Barrier::new(3));
    thread::scope(|scope| {
        for _ in 0..2 {
            let start = Arc::clone(&start);
            scope.spawn(move || {
                start.wait();
                while Instant::now() < deadline {
                    let boxes: Vec<_> = (0..16).map(|n| PoolBox::new(Busy(n))).collect();
                    drop(boxes);
                }
            });
        }
        start.wait();
        while Instant::now() < deadline {
            let stats = Busy::pool_stats();
            assert!(stats.live <= stats.high_water && stats.high_water <= 4096, "{stats}");
        }
    });
    assert_eq!(Busy::pool_stats().live, 0);
}
