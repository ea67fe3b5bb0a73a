//! Boxes and shared elements of type parameters, without a bound

use typed_pool::{PoolArc, PoolBox, PoolRc, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

struct List<T> {
    first: Option<PoolBox<T>>,
}

fn make<T>(value: T) -> PoolBox<T> {
    PoolBox::new(value)
}

// An instance of the parameter.
fn make_node<T>(node: Node<T>) -> PoolBox<Node<T>> {
    PoolBox::new(node)
}

// With a pool, which may have no room for counts.
fn shared<T: Pooled>(value: T) -> PoolRc<T> {
    PoolRc::new(value)
}

fn shared_by_threads<T: Pooled + Default>() -> PoolArc<T> {
    PoolArc::default()
}

fn main() {}
