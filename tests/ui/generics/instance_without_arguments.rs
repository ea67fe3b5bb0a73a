//! An instance without its arguments
//!
//! Fix: write them: `instances(Node<f32>)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node))]
struct Node<T>([T; 4]);

fn main() {}
