//! As `instances_empty`: without the parentheses.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(instances)]
struct Node<T>([T; 4]);

fn main() {}
