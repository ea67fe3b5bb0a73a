//! Operations on a pool, against a model: random ones, and all short sequences.

use proptest::collection::vec;
use proptest::prelude::*;

use super::Pool;
use super::operations::{Operation, run};
use crate::config::config;

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        8 => any::<u64>().prop_map(Operation::Alloc),
        6 => any::<usize>().prop_map(Operation::Free),
        1 => Just(Operation::AllocWithPanic),
        1 => Just(Operation::InitWithError),
        1 => (any::<u64>(), any::<bool>()).prop_map(|(seed, fill)| Operation::Vacant(seed, fill)),
        1 => any::<usize>().prop_map(Operation::Raw),
        1 => Just(Operation::Prefault),
        1 => Just(Operation::FreeAll),
        1 => (0_usize..40).prop_map(Operation::Reserve),
        1 => Just(Operation::Trim),
    ]
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn a_growing_pool_agrees_with_its_model(operations in vec(operation(), 1..300)) {
        run(&Pool::new(), usize::MAX, &operations);
    }

    #[test]
    fn a_bounded_pool_agrees_with_its_model(
        limit in 0_usize..30,
        operations in vec(operation(), 1..200),
    ) {
        run(&Pool::bounded(limit), limit, &operations);
    }

    #[test]
    fn a_pool_with_capacity_agrees_with_its_model(
        capacity in 1_usize..10,
        operations in vec(operation(), 1..200),
    ) {
        run(&Pool::with_capacity(capacity), usize::MAX, &operations);
    }
}

/// Each sequence of so many operations, on a pool that begins with two chunks.
#[test]
fn two_chunks_agree_with_their_model_in_every_order() {
    use Operation::*;
    let start = [Alloc(1), Alloc(2), Alloc(3)];
    let all = [
        Alloc(4),
        AllocWithPanic,
        Vacant(5, true),
        Free(0),
        Free(1),
        Free(2),
        FreeAll,
        Reserve(2),
        Trim,
    ];
    let depth = if config(200).cases < 200 { 3 } else { 4 };
    for at in 0..all.len().pow(depth) {
        let chosen = (0..depth).map(|n| all[at / all.len().pow(n) % all.len()].clone());
        let operations: Vec<_> = start.iter().cloned().chain(chosen).collect();
        let pool = Pool::with_capacity(2);
        run(&pool, usize::MAX, &operations);
    }
    let pool = Pool::with_capacity(2);
    run(&pool, usize::MAX, &start);
    assert_eq!(pool.stats().chunks, 2);
}
