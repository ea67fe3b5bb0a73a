//! As `function_as_a_method`: `downgrade` or `strong_count` of a `PoolRc`, which is
//! `PoolRc::downgrade(&node)` where the compiler proposes `RefCounted::<Node, Plain>::downgrade(&node)`.

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Node {
    name: String,
}

fn main() {
    let node = PoolRc::new(Node { name: "mine".into() });
    let weak = node.downgrade();
}
