//! Pointers that threads share: one of the owners takes the element or drops it, and a weak pointer finds all of it or none.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, mpsc};
use std::thread;

use typed_pool::{PoolArc, PoolArcWeak, Pooled};

const THREADS: usize = 4;

/// When many give up a pointer at the same time, exactly one gets the element, or drops it.
#[test]
fn one_of_all_takes_the_element() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);

    #[derive(Pooled)]
    #[pool(static, capacity = 1, rc)]
    struct Element(Box<usize>);

    impl Drop for Element {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::Relaxed);
        }
    }

    let rounds = if cfg!(debug_assertions) { 300 } else { 3000 };
    let shared = Mutex::new(Vec::new());
    let taken = AtomicUsize::new(0);
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        let threads = (0..THREADS).map(|n| {
            let (shared, taken, start) = (&shared, &taken, &start);
            scope.spawn(move || {
                for round in 0..rounds {
                    if n == 0 {
                        let element = PoolArc::new(Element(Box::new(round)));
                        *shared.lock().unwrap() = vec![element; THREADS];
                    }
                    start.wait();
                    let own = shared.lock().unwrap().pop().unwrap();
                    let weak = PoolArc::downgrade(&own);
                    start.wait();
                    match PoolArc::into_inner(own) {
                        Some(element) => {
                            assert_eq!(*element.0, round);
                            taken.fetch_add(1, Ordering::Relaxed);
                        }
                        // A thread that upgrades a pointer keeps the element from the others, and drops it in the end.
                        None if round % 2 == 0 => drop(weak.upgrade()),
                        None => {}
                    }
                    drop(weak);
                    start.wait();
                }
            })
        });
        // A scope ends before its threads have given back what they keep; `join` waits for that.
        let threads: Vec<_> = threads.collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no panic"));
    });
    assert!(taken.into_inner() >= rounds / 2);
    assert_eq!(DROPPED.load(Ordering::Relaxed), rounds);
    assert_eq!(Element::pool_stats().live, 0);
}

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

/// They go where `Arc` goes.
#[test]
fn pointers_are_sent_and_shared_as_elements_are() {
    #[derive(Pooled)]
    #[pool(static, rc)]
    struct Plain(#[expect(dead_code, reason = "has a size")] u64);

    fn goes<T: Send + Sync + Unpin>() {}
    goes::<PoolArc<Plain>>();
    goes::<PoolArcWeak<Plain>>();
    goes::<Option<std::pin::Pin<PoolArc<Plain>>>>();
}
