//! A reserved slot that outlives its owned pool
//!
//! Fix: declare the pool before what borrows from it, and in as wide a scope.

use typed_pool::FreeList;

fn main() {
    let slot = {
        let pool = FreeList::<u64>::new();
        pool.vacant()
    };
    drop(slot);
}
