//! Uses of a pool by the heap while a map of it is made, and while it is printed.

use std::sync::atomic::{AtomicUsize, Ordering};

use typed_pool::PoolBoxIn;

use super::{KIND, Pool};
use crate::with_guest;

#[test]
fn the_heap_may_use_the_pool_that_is_mapped_and_printed() {
    thread_local! {
        static POOL: &'static Pool<[u64; 4]> = Box::leak(Box::new(Pool::new()));
    }
    // Seen by leak checkers: this pool is leaked on purpose.
    static LEAKED: AtomicUsize = AtomicUsize::new(0);
    let pool = POOL.with(|pool| *pool);
    LEAKED.store((&raw const *pool).addr(), Ordering::Relaxed);
    let mut boxes: Vec<_> = (0..100).map(|_| Some(pool.alloc([u64::MAX; 4]))).collect();
    boxes.iter_mut().step_by(2).for_each(|slot| *slot = None);
    // What the heap writes into a slot leads nowhere if it is read as a link.
    let guest = || {
        POOL.with(|pool| {
            for _ in 0..5 {
                PoolBoxIn::leak(pool.alloc([u64::MAX; 4]));
            }
            assert!(pool.map().live() >= 50);
        });
    };
    let (map, shown) = with_guest(guest, || (pool.map(), pool.to_string()));
    assert!(map.live() >= 50);
    assert!(shown.starts_with(&format!("{KIND}[u64; 4]: ")), "{shown}");
    assert!(boxes.iter().flatten().all(|element| **element == [u64::MAX; 4]));
}
