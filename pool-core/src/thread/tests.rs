use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use std::sync::Barrier;
use std::thread;

use super::{number, spread};

/// Locks tell threads apart by it.
#[test]
fn threads_have_numbers_of_their_own() {
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
}

/// Pools choose one of a few shards by a thread's number. The systems' are multiples of 4 (Windows), or addresses.
#[test]
fn numbers_of_systems_are_spread() {
    for step in [1, 4, 0x1000, 0x8_3000] {
        for first in [0, step, 100 * step] {
            let rests = (0..24).map(|n| spread(first + n * step) % 8);
            assert_eq!(rests.collect::<BTreeSet<_>>().len(), 8, "{step:#x} from {first:#x}");
        }
    }
}
