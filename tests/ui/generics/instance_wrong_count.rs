//! An instance with too many arguments
//!
//! Fix: write as many as the type has parameters: `instances(Node<f32>, Node<f64>)` are two
//! instances.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node<f32, f64>))]
struct Node<T>([T; 4]);

fn main() {}
