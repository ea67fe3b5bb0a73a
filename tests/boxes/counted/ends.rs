//! The end of a thread: pointers that outlive it, and those that its thread-locals hold. (What stays on the
//! heap then is a matter of `tests/thread_exit`.)

use std::cell::RefCell;
use std::thread;

use typed_pool::{PoolArc, PoolArcWeak, Pooled};

/// Both kinds of static pool; `$Element` holds a number, `$AtExit` is a thread-local's.
macro_rules! check {
    ($name:ident, $($attribute:tt)*) => {
        #[test]
        fn $name() {
            #[derive(Pooled)]
            #[pool($($attribute)*)]
            struct Element(u64);

            #[derive(Default)]
            struct AtExit {
                kept: Vec<PoolArc<Element>>,
                watched: Vec<PoolArcWeak<Element>>,
            }

            impl Drop for AtExit {
                fn drop(&mut self) {
                    assert!(self.kept.iter().zip(0..).all(|(element, n)| element.0 == n));
                    self.kept.truncate(10);
                    let again = (10..20).map(|n| PoolArc::new(Element(n)));
                    self.kept.extend(again);
                    self.watched.extend(self.kept.iter().map(PoolArc::downgrade));
                    assert!(self.watched.iter().all(|weak| weak.upgrade().is_some_and(|e| e.0 < 20)));
                }
            }

            // Thread-locals are destroyed in an order that depends on which was touched first: of these
            // one is touched before the pool is, and one after.
            thread_local! {
                static EARLIER: RefCell<AtExit> = RefCell::default();
                static LATER: RefCell<AtExit> = RefCell::default();
            }

            for _ in 0..10 {
                let thread = thread::spawn(|| {
                    EARLIER.with_borrow_mut(|_| {});
                    let outlives = PoolArc::new(Element(7));
                    let make = || (0..20).map(|n| PoolArc::new(Element(n))).collect();
                    LATER.with_borrow_mut(|holder| holder.kept = make());
                    EARLIER.with_borrow_mut(|holder| holder.kept = make());
                    let weak = PoolArc::downgrade(&outlives);
                    (outlives, weak)
                });
                let (outlives, weak) = thread.join().unwrap();
                assert_eq!((outlives.0, PoolArc::weak_count(&outlives)), (7, 1));
                assert_eq!(Element::pool_stats().live, 1);
                drop(outlives);
                assert!(weak.upgrade().is_none());
                drop(weak);
                assert_eq!(Element::pool_stats().live, 0);
            }
        }
    };
}

check!(of_static_lists, static, strategy = free_list, rc);
check!(of_static_stacks, static, rc);
check!(of_a_fixed_pool, static, capacity = 64, rc);
check!(of_a_fixed_list, static, capacity = 64, strategy = free_list, rc);
