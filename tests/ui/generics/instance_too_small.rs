//! An instance smaller than a pointer

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances(Node<u8>, Node<f32>, Node<()>))]
struct Node<T>([T; 4]);

fn main() {}
