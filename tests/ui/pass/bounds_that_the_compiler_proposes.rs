//! `generics/without_a_bound`, with the bounds that the compiler proposes.

use typed_pool::{PoolBox, PoolRc, Pooled};

#[derive(Pooled)]
#[pool(instances(Node<f32>))]
struct Node<T>([T; 4]);

#[derive(Pooled)]
#[pool(rc)]
struct Squad(u64);

fn make<T: typed_pool::Pooled>(value: T) -> PoolBox<T> {
    PoolBox::new(value)
}

fn make_node<T>(node: Node<T>) -> PoolBox<Node<T>>
where
    Node<T>: Pooled,
{
    PoolBox::new(node)
}

fn shared<T: Pooled + typed_pool::rc::RefCountedBy<typed_pool::rc::Plain>>(value: T) -> PoolRc<T> {
    PoolRc::new(value)
}

fn main() {
    assert_eq!(make(Node([1.0_f32; 4])).0, make_node(Node([1.0_f32; 4])).0);
    assert_eq!(shared(Squad(7)).0, 7);
}
