//! Instances that are not types
//!
//! Fix: list types: `instances(Node<f32>)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(64))]
struct Node<T>([T; 4]);

fn main() {}
