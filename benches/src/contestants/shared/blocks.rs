//! heapless: a list of blocks without a heap, which the threads share object by object.

use std::sync::Once;

use heapless::box_pool;
use heapless::pool::boxed::{Box as BlockBox, BoxBlock};

use crate::contestant::Contestant;
use crate::objects::{Obj64, SHARED_CAPACITY};

/// The pool that `box_pool!` makes.
mod pool {
    #![allow(missing_docs, missing_debug_implementations, reason = "not ours to write")]
    use super::{Obj64, box_pool};

    box_pool!(Pool: Obj64);
}

/// A `box_pool!` with all blocks that it needs.
#[derive(Clone, Copy, Debug)]
pub struct Blocks;

impl Contestant<Obj64> for Blocks {
    const NAME: &'static str = "heapless";
    type Object = BlockBox<pool::Pool>;

    fn enter() -> Self {
        static FILLED: Once = Once::new();
        FILLED.call_once(|| {
            let blocks: Vec<_> = (0..SHARED_CAPACITY).map(|_| BoxBlock::new()).collect();
            for block in blocks.leak() {
                pool::Pool.manage(block);
            }
        });
        Self
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> Obj64) -> Self::Object {
        pool::Pool.alloc(make()).expect("a block for each object of the workloads")
    }

    #[inline(always)]
    fn address(self, object: &Self::Object) -> *const Obj64 {
        &raw const **object
    }

    #[inline(always)]
    fn free(self, object: Self::Object) {
        drop(object);
    }
}
