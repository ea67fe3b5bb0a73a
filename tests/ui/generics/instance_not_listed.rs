//! An instance that is not listed
//!
//! Fix: list it too: `instances(Node<f32>, Node<f64>)`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

fn main() {
    drop(Node::<f64>::pool_alloc());
}
