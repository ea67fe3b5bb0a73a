//! A type that holds itself

use typed_pool::Pooled;

#[derive(Pooled)]
struct Node {
    value: u64,
    next: Option<Node>,
}

fn main() {}
