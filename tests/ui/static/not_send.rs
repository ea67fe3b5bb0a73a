//! Elements of a static pool that are not `Send`

use std::rc::Rc;

use typed_pool::Pooled;

// With a capacity.
#[derive(Pooled)]
#[pool(static, capacity = 64)]
struct Monster {
    health: i32,
    name: Rc<str>,
}

// In a pool that grows.
#[derive(Pooled)]
#[pool(static)]
struct Job {
    shared: Rc<u64>,
}

// One of several instances.
#[derive(Pooled)]
#[pool(static, capacity = 64, instances(Node<u64>, Node<Rc<str>>))]
struct Node<T>(T);

fn main() {}
