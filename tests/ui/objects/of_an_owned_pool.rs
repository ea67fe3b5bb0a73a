//! `unsize!` of a box of an owned pool, or of one of the heap
//!
//! Fix: an object lies in no pool of one type: take an `any::Box`; or derive `Pooled`, with `PoolObject` as the supertrait.

use std::fmt::Display;

use typed_pool::{FreeList, unsize};

fn main() {
    let pool = FreeList::new();
    let borrowed = unsize!(pool.alloc(5_u64) => dyn Display);
    let on_heap = unsize!(Box::new(5) => dyn Display);
    println!("{borrowed} {on_heap}");
}
