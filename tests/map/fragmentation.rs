//! What a map says of a pool in order, and of one that is scattered.

use typed_pool::FreeList;

use crate::{figures, spread_of};

const SLOTS: usize = if cfg!(miri) { 200 } else { 10_000 };

#[test]
fn a_pool_in_order_hands_out_neighbours() {
    let pool = FreeList::<[u64; 4]>::with_capacity(SLOTS);
    let all: Vec<_> = (0..SLOTS as u64).map(|n| pool.alloc([n; 4])).collect();
    assert_eq!(pool.map().fullness(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!((pool.map().longest_vacant_run(), pool.map().next_allocations(1000).slots), (0, 0));
    drop(all);
    let map = pool.map();
    assert_eq!(map.fullness(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(map.longest_vacant_run(), SLOTS);
    assert_eq!(map.returnable_bytes(), pool.stats().bytes);
    // With `hardened` freed slots wait, and come in that order.
    if cfg!(not(feature = "hardened")) {
        let next = map.next_allocations(100);
        assert_eq!((next.distance, next.span), (32, 3200));
    }
}

/// What the next thousand say is what they do, and it is far from order.
#[test]
fn a_scattered_pool_hands_out_what_lies_apart() {
    let pool = FreeList::<[u64; 4]>::with_capacity(SLOTS);
    let mut all: Vec<_> = (0..SLOTS as u64).map(|n| pool.alloc([n; 4])).collect();
    fastrand::Rng::with_seed(1).shuffle(&mut all);
    all.truncate(SLOTS / 2);
    let map = pool.map();
    assert_eq!(map.fullness(), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(map.returnable_bytes(), 0);
    assert_eq!(pool.trim(), 0);
    // With `hardened` a trim puts them in order.
    let next = pool.map().next_allocations(SLOTS / 10);
    let made: Vec<_> = (0..next.slots).map(|_| pool.alloc([0; 4])).collect();
    let addresses: Vec<_> = made.iter().map(|element| (&raw const **element).addr()).collect();
    assert_eq!(figures(next), spread_of(&addresses, 32));
    assert!(next.distance > 32 * SLOTS / 10 || cfg!(feature = "hardened"), "{next:?}");
}
