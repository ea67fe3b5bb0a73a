//! Operations on a raw pool, and a model that knows every block.
//!
//! For tests, and for `fuzz/`.

use std::alloc::Layout;
use std::ptr::NonNull;

use typed_pool::RawPoolError;

use super::common::{RawPool, WORD, bytes, fill};

#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Alloc(u8),
    /// Frees the live block at this index, modulo how many there are.
    Free(usize),
    FreeAll,
    Trim,
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
    let shown = pool.to_string();
    let head = format!("{} bytes each, aligned to {}", element.size(), element.align());
    assert!(shown.contains(&head), "{shown}");
    assert_eq!(pool.map().live(), live.len(), "{:#}", pool.map());
}

pub(crate) fn run_both<P: RawPool>(element: Layout, count: usize, operations: &[Operation]) {
    match P::new(element, count) {
        Ok(mut pool) => run(&mut pool, element, count, operations),
        Err(error) => {
            assert!(matches!(error, RawPoolError::TooSmall { .. }), "{error}");
            assert!(element.size() < WORD);
            return;
        }
    }
    run(&mut P::with_capacity(element, count).unwrap(), element, usize::MAX, operations);
}
