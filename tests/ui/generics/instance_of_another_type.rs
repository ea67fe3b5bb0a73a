//! An instance of another type
//!
//! Fix: list it where that type is derived.

use typed_pool::Pooled;

struct Leaf<T>(T);

#[derive(Pooled)]
#[pool(instances(Node<f32>, Leaf<f32>))]
struct Node<T>([T; 4]);

fn main() {}
