//! What the heap may do to a pool with a limit while that pool calls it.

use std::cell::{Cell, RefCell};
use std::thread;

use typed_pool::FreeList;

use super::{PoolBox, Pooled};
use crate::with_guest;

#[test]
fn the_heap_may_outgrow_the_pool_that_grows() {
    pooled! {
        #[pool(chunk = 8, max = 6001)]
        #[derive(Debug)]
        struct Limited([u64; 4]);
    }

    thread_local! {
        static KEPT: RefCell<Vec<PoolBox<Limited>>> = const { RefCell::new(Vec::new()) };
    }

    /// Makes many, and at first keeps enough of them that the pool grows between two requests of its own.
    fn crowd() {
        let limited = (0..300).map(|n| PoolBox::try_new(Limited([n; 4])));
        let mut crowd: Vec<_> = limited.filter_map(Result::ok).collect();
        assert!(crowd.iter().all(|one| one.0 == [one.0[0]; 4]));
        KEPT.with_borrow_mut(|kept| {
            if kept.len() < 2400 {
                kept.append(&mut crowd);
            }
        });
    }

    let mut boxes = Vec::with_capacity(6001);
    with_guest(crowd, || {
        while let Ok(one) = PoolBox::try_new(Limited([boxes.len() as u64; 4])) {
            boxes.push(one);
        }
    });
    // No slot too many, and none lost.
    let kept = KEPT.take();
    assert_eq!((boxes.len() + kept.len(), Limited::pool_stats().capacity), (6001, 6001));
    assert!(kept.iter().all(|one| one.0 == [one.0[0]; 4]));
    assert!(boxes.iter().zip(0..).all(|(one, n)| one.0 == [n; 4]));
}

/// The list of all pools grows by blocks of the heap. By the time that a pool is listed, it may have a chunk that is used in part, and one
/// behind it.
#[test]
fn the_heap_may_reserve_in_the_pool_that_is_listed() {
    pooled! {
        struct Listed([u64; 4]);
    }

    thread_local! {
        static KEPT: Cell<Option<PoolBox<Listed>>> = const { Cell::new(None) };
    }

    /// Once in each thread.
    fn reserve() {
        let kept = KEPT.take().unwrap_or_else(|| {
            let first = PoolBox::new(Listed([0; 4]));
            Listed::pool_reserve(100);
            first
        });
        KEPT.set(Some(kept));
    }

    let mut others = Vec::with_capacity(100);
    for _ in 0..100 {
        // One more is in the list, until the next would be the first in its block.
        others.push(FreeList::<u64>::new().with_name("other"));
        let uses_it = || {
            let boxes = with_guest(reserve, || [1, 2, 3].map(|n| PoolBox::new(Listed([n; 4]))));
            let stats = Listed::pool_stats();
            assert_eq!((stats.live, stats.high_water), (4, 4));
            assert_eq!(boxes.map(|one| one.0[0]), [1, 2, 3]);
        };
        thread::spawn(uses_it).join().unwrap();
    }
}
