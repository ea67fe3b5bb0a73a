//! A generic type without instances
//!
//! Fix: list the instances that have a pool: `#[pool(instances(Node<f32>))]`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Node<T> {
    bounds: [T; 4],
}

fn main() {}
