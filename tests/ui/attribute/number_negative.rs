//! A negative number
//!
//! Fix: write 1 or more.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = -64)]
struct Bullet([f32; 4]);

fn main() {}
