//! A box that outlives its owned pool
//!
//! Fix: declare the pool before what borrows from it, in the same scope or a wider one.

use typed_pool::FreeList;

fn main() {
    let bullet = {
        let pool = FreeList::new();
        pool.alloc([0.0_f32; 4])
    };
    println!("{}", bullet[0]);
}
