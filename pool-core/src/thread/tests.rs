use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use std::sync::Barrier;
use std::thread;

use super::number;

/// Locks tell threads apart by it, and pools choose one of a few shards.
#[test]
fn threads_have_numbers_of_their_own_that_are_spread() {
    const THREADS: usize = 64;
    let all_are_there = Barrier::new(THREADS);
    let numbers: BTreeSet<usize> = thread::scope(|scope| {
        let thread = || {
            let numbers = [(); 3].map(|()| number());
            all_are_there.wait();
            assert_eq!(numbers, [number(); 3]);
            numbers[0]
        };
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(thread)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(numbers.len() == THREADS && !numbers.contains(&0));
    let rests: BTreeSet<_> = numbers.iter().map(|number| number % 8).collect();
    assert!(rests.into_iter().eq(0..8));
}
