//! As `type_parameter`: in a static pool, with the bound that boxes of itself need, and still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(static)]
struct Node<T>
where
    Node<T>: Pooled,
{
    value: T,
    next: Option<PoolBox<Node<T>>>,
}

fn main() {
    let node = PoolBox::new(Node { value: 1, next: None });
    std::thread::spawn(move || node.value);
}
