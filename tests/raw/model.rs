//! Random operations on random layouts, against a model.

use std::alloc::Layout;
use std::ptr::NonNull;

use proptest::collection::vec;
use proptest::prelude::*;
use typed_pool::{RawFreeList, RawPointerStack, RawPoolError};

use crate::common::{RawPool, WORD, bytes, fill, layout};

#[derive(Clone, Debug)]
enum Operation {
    Alloc(u8),
    /// Frees the live block at this index, modulo how many there are.
    Free(usize),
    FreeAll,
    Reset,
    Trim,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        16 => any::<u8>().prop_map(Operation::Alloc),
        12 => any::<usize>().prop_map(Operation::Free),
        1 => Just(Operation::FreeAll),
        1 => Just(Operation::Reset),
        1 => Just(Operation::Trim),
    ]
}

/// A size that is a multiple of an alignment.
fn element() -> impl Strategy<Value = Layout> {
    (0_u32..8, 1_usize..40).prop_map(|(align, multiple)| layout(multiple << align, 1 << align))
}

fn run<P: RawPool>(pool: &mut P, element: Layout, limit: usize, operations: &[Operation]) {
    let mut live: Vec<(NonNull<[u8]>, u8)> = Vec::new();
    let mut high_water = 0;
    for operation in operations {
        let free = |pool: &P, (block, byte)| {
            assert_eq!(bytes(block), vec![byte; element.size()]);
            // SAFETY: the block came from this pool, and has just left the model.
            unsafe { pool.free(block) };
        };
        match *operation {
            Operation::Alloc(byte) => match pool.alloc() {
                Some(block) => {
                    assert!(live.len() < limit, "more blocks than the pool may have");
                    let address = block.cast::<u8>().as_ptr().addr();
                    assert_eq!((block.len(), address % element.align()), (element.size(), 0));
                    assert!(live.iter().all(|(other, _)| {
                        other.cast::<u8>().as_ptr().addr().abs_diff(address) >= element.size()
                    }));
                    fill(block, byte);
                    live.push((block, byte));
                    high_water = high_water.max(live.len());
                }
                None => assert_eq!(live.len(), limit),
            },
            Operation::Free(_) if live.is_empty() => {}
            Operation::Free(index) => {
                let index = index % live.len();
                free(pool, live.swap_remove(index));
            }
            Operation::FreeAll => live.drain(..).for_each(|block| free(pool, block)),
            Operation::Reset => {
                live.clear();
                pool.reset();
            }
            Operation::Trim => {
                let before = pool.stats().bytes;
                assert_eq!(pool.trim() + pool.stats().bytes, before);
                assert!(!live.is_empty() || pool.stats().bytes == 0);
            }
        }
        let stats = pool.stats();
        assert_eq!((stats.live, stats.high_water), (live.len(), high_water));
        assert!(live.iter().all(|(block, _)| pool.owns(block.cast::<u8>().as_ptr())));
    }
    assert!(live.iter().all(|&(block, byte)| bytes(block) == vec![byte; element.size()]));
    let shown = format!("{pool:#}");
    let head = format!("{} bytes each, aligned to {}", element.size(), element.align());
    assert!(shown.contains(&head), "{shown}");
    let maps = shown.lines().skip(2).filter_map(|line| line.rsplit(' ').next());
    assert_eq!(maps.map(|map| map.matches('#').count()).sum::<usize>(), live.len(), "{shown}");
}

fn run_both<P: RawPool>(element: Layout, count: usize, operations: &[Operation]) {
    match P::new(element, count) {
        Ok(mut pool) => run(&mut pool, element, count, operations),
        Err(error) => {
            assert!(matches!(error, RawPoolError::TooSmall { .. }), "{error}");
            assert!(element.size() < WORD);
            return;
        }
    }
    run(&mut P::growing(element, count).unwrap(), element, usize::MAX, operations);
}

/// Fewer cases where each takes fifty times as long (under Valgrind, say).
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig { cases: cases.unwrap_or(200), failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_raw_free_list_agrees_with_its_model(
        element in element(),
        count in 1_usize..20,
        operations in vec(operation(), 1..200),
    ) {
        run_both::<RawFreeList>(element, count, &operations);
    }

    #[test]
    fn a_raw_pointer_stack_agrees_with_its_model(
        element in element(),
        count in 1_usize..20,
        operations in vec(operation(), 1..200),
    ) {
        run_both::<RawPointerStack>(element, count, &operations);
    }
}
