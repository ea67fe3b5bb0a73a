use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use std::thread;

use super::{FreeSlots, SHARDS, shard};

fn begins_in_its_own_shard<const N: usize>(firsts: [u32; 4]) {
    for own in 0..9 {
        let free = FreeSlots::<4, N>::new();
        assert!(!(1..=N as u32).any(|number| free.is_used(number)));
        let mut numbers: Vec<_> = core::iter::from_fn(|| free.pop(own, || ())).collect();
        assert_eq!((numbers[0], free.used()), (firsts[own % 4], N));
        numbers.rotate_right(firsts[own % 4] as usize - 1);
        assert!(numbers.into_iter().eq(1..=N as u32), "each once, neighbours in turn");
        assert!((1..=N as u32).all(|number| free.is_used(number)));
    }
}

#[test]
fn never_used_slots_are_shared_out() {
    begins_in_its_own_shard::<1>([1; 4]);
    begins_in_its_own_shard::<3>([1, 1, 2, 3]);
    begins_in_its_own_shard::<4>([1, 2, 3, 4]);
    begins_in_its_own_shard::<103>([1, 26, 52, 78]);
}

/// More than there are shards, since other tests may have threads that are given theirs meanwhile.
#[test]
fn threads_in_turn_have_every_shard() {
    let shards = (0..8 * SHARDS).map(|_| {
        let first_and_again = || [(); 3].map(|()| shard());
        let [first, again @ ..] = thread::spawn(first_and_again).join().unwrap();
        assert_eq!(again, [first; 2]);
        first
    });
    assert!(shards.collect::<BTreeSet<_>>().into_iter().eq(0..SHARDS));
}
