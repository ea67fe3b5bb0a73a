//! An owned pool dropped before its boxes
//!
//! Fix: drop the boxes first.

use typed_pool::FreeList;

fn main() {
    let pool = FreeList::new();
    let bullet = pool.alloc([0.0_f32; 4]);
    drop(pool);
    println!("{}", bullet[0]);
}
