//! A generic type that holds boxes of itself
//!
//! Fix: write `where List<T>: Pooled` on the struct.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(List<u64>))]
struct List<T> {
    value: T,
    next: Option<PoolBox<List<T>>>,
}

fn main() {}
