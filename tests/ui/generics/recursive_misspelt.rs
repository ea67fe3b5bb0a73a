//! As `type_parameter`: another mistake, in the attribute of a type that holds boxes of itself: still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<u64>), capcity = 4)]
struct Node<T> {
    value: T,
    next: Option<PoolBox<Node<T>>>,
}

fn main() {}
