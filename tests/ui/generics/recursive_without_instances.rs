//! As `type_parameter`: on a type that holds boxes of itself, and still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Node<T> {
    value: T,
    next: Option<PoolBox<Node<T>>>,
    children: Vec<PoolBox<Self>>,
}

impl<T> Node<T> {
    fn depth(&self) -> usize {
        self.next.as_ref().map_or(0, |next| 1 + next.depth())
    }
}

fn main() {
    let node = PoolBox::new(Node { value: 1, next: None, children: Vec::new() });
    println!("{} {}", node.value, node.depth());
}
