//! A generic function that boxes an instance of its parameter, without a bound

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

fn make<T>(node: Node<T>) -> PoolBox<Node<T>> {
    PoolBox::new(node)
}

fn main() {}
