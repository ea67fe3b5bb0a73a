//! `unsize!` of a box of an owned pool, or of one of the heap

use std::fmt::Display;

use typed_pool::{FreeList, unsize};

fn main() {
    let pool = FreeList::new();
    let borrowed = unsize!(pool.alloc(5_u64) => dyn Display);
    let on_heap = unsize!(Box::new(5) => dyn Display);
    println!("{borrowed} {on_heap}");
}
