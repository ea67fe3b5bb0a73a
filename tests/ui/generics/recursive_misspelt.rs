//! As `type_parameter`: a mistake in the attribute of a type that holds boxes of itself, and still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<u64>), capcity = 4)]
struct Node<T> {
    value: T,
    next: Option<PoolBox<Node<T>>>,
}

fn main() {}
