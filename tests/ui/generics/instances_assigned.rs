//! Instances after an equals sign
//!
//! Fix: write them in parentheses: `instances(Node<f32>)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances = Node<f32>)]
struct Node<T>([T; 4]);

fn main() {}
