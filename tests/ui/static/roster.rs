//! A static roster
//!
//! Fix: remove `static`; in this version every thread has a roster of its own.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = roster, capacity = 64)]
struct Monster {
    health: i32,
}

fn main() {}
