//! As `not_send`: where the pool grows.

use std::rc::Rc;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Job {
    shared: Rc<u64>,
}

fn main() {}
