//! As `not_send`: one of several instances.

use std::rc::Rc;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 64, instances(Node<u64>, Node<Rc<str>>))]
struct Node<T>(T);

fn main() {}
