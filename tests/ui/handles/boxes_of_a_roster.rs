//! A box of a type whose pool has handles
//!
//! Fix: use `pool_insert` and keep a `Handle`; or write `strategy = free_list`, which has boxes.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let goblin = Monster::pool_alloc();
}
