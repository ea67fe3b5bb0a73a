//! A weak pointer that threads share finds all of an element, or none.

use std::sync::mpsc;
use std::thread;

use typed_pool::{PoolArc, PoolArcWeak, Pooled};

/// A weak pointer from before the element was there finds all of it, or none.
#[test]
fn an_element_in_the_making_is_found_when_it_is_made() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Element {
        this: PoolArcWeak<Element>,
        number: u64,
    }

    for round in 0..if cfg!(debug_assertions) { 100 } else { 1000 } {
        let (to, from) = mpsc::channel::<PoolArcWeak<Element>>();
        let (looked, has_looked) = mpsc::channel();
        let finder = thread::spawn(move || {
            let weak = from.recv().unwrap();
            assert!(weak.upgrade().is_none());
            looked.send(()).unwrap();
            loop {
                if let Some(found) = weak.upgrade() {
                    assert_eq!(found.number, round);
                    return found;
                }
                thread::yield_now();
            }
        });
        let made = PoolArc::new_cyclic(|this| {
            to.send(this.clone()).unwrap();
            has_looked.recv().unwrap();
            Element { this: this.clone(), number: round }
        });
        let found = finder.join().unwrap();
        assert!(PoolArc::ptr_eq(&made, &found) && made.this.upgrade().is_some());
        assert_eq!((PoolArc::strong_count(&made), PoolArc::weak_count(&made)), (2, 1));
    }
    assert_eq!(Element::pool_stats().live, 0);
}
