//! A type that holds itself
//!
//! Fix: hold a box: `next: Option<PoolBox<Node>>`. The derive adds no error of its own.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Node {
    value: u64,
    next: Option<Node>,
}

fn main() {}
