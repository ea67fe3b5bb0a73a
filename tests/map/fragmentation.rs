//! What a map says of a pool in order, and of one that is scattered.

use typed_pool::FreeList;

const SLOTS: usize = if cfg!(miri) { 200 } else { 10_000 };

#[test]
fn a_pool_that_has_emptied_is_one_run() {
    let pool = FreeList::<[u64; 4]>::with_capacity(SLOTS);
    let all: Vec<_> = (0..SLOTS as u64).map(|n| pool.alloc([n; 4])).collect();
    assert_eq!(pool.map().fullness(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(pool.map().longest_vacant_run(), 0);
    drop(all);
    let map = pool.map();
    assert_eq!(map.fullness(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(map.longest_vacant_run(), SLOTS);
    assert_eq!(map.returnable_bytes(), pool.stats().bytes);
}

#[test]
fn a_scattered_pool_has_no_chunk_to_give_back() {
    let pool = FreeList::<[u64; 4]>::with_capacity(SLOTS);
    let mut all: Vec<_> = (0..SLOTS as u64).map(|n| pool.alloc([n; 4])).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut all);
    all.truncate(SLOTS / 2);
    let map = pool.map();
    assert_eq!(map.fullness(), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(map.returnable_bytes(), 0);
    assert_eq!(pool.trim(), 0);
    assert!(map.longest_vacant_run() < SLOTS / 10, "{map}");
}
