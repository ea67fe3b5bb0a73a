use alloc::vec::Vec;

use super::FreeSlots;

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
