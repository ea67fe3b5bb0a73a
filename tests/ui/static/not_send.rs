//! An element that is not `Send` in a static pool
//!
//! Fix: make the field `Send`, `Arc<str>` in this case; or remove `static`, and every thread has a
//! pool of its own.

use std::rc::Rc;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 64)]
struct Monster {
    health: i32,
    name: Rc<str>,
}

fn main() {}
