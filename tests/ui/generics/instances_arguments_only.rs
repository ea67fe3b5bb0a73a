//! Arguments in place of instances
//!
//! Fix: write the whole type: `instances(Node<f32>, Node<f64>)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(f32, f64))]
struct Node<T>([T; 4]);

fn main() {}
