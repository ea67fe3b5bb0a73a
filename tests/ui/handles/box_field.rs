//! A field that is a box of a type whose pool has handles
//!
//! Fix: store a `Handle`; or choose a strategy that has boxes.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

struct Lair {
    guard: PoolBox<Monster>,
}

fn main() {}
