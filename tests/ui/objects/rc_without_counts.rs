//! A shared object of a type whose slots have no room for counts
//!
//! Fix: write `#[pool(rc)]` on the type.

use typed_pool::{PoolObject, PoolRc, Pooled, unsize};

trait Enemy: PoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {
    let enemy = unsize!(PoolRc::new(Orc(7)) => dyn Enemy);
    drop(enemy);
}
