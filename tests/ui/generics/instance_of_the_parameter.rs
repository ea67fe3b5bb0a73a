//! An instance for every parameter
//!
//! Fix: a pool is for one concrete type: list `Node<f32>`, and every other that you use.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node<T>))]
struct Node<T>([T; 4]);

fn main() {}
