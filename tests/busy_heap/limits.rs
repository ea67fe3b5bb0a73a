//! Uses of a pool with a limit by the heap that it calls.

use std::cell::RefCell;

use super::{PoolBox, Pooled};
use crate::with_guest;

#[test]
fn the_heap_is_refused_what_the_pool_that_grows_asks_it_for() {
    pooled! {
        #[pool(chunk = 8, max = 6001)]
        #[derive(Debug)]
        struct Limited([u64; 4]);
    }

    thread_local! {
        static KEPT: RefCell<Vec<PoolBox<Limited>>> = const { RefCell::new(Vec::new()) };
    }

    /// Makes as many as there are, and keeps some.
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
