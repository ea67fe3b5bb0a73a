//! An empty list of instances
//!
//! Fix: list one type or more: `instances(Node<f32>)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances())]
struct Node<T>([T; 4]);

fn main() {}
