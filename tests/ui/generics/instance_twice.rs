//! An instance listed twice
//!
//! Fix: remove one.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node<f32>, Node<f64>, Node< f32 >))]
struct Node<T>([T; 4]);

fn main() {}
