//! A reserved slot that outlives its owned pool
//!
//! Fix: declare the pool before what borrows from it, in the same scope or a wider one.

use typed_pool::FreeList;

fn main() {
    let slot = {
        let pool = FreeList::<u64>::new();
        pool.vacant()
    };
    drop(slot);
}
