//! A generic type without instances
//!
//! Fix: list the instances that have a pool: `#[pool(instances(Node<f32>))]`. Where they cannot be known, as in a library,
//! remove the derive, and use `any::Box<Node<T>>`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Node<T> {
    bounds: [T; 4],
}

fn main() {}
