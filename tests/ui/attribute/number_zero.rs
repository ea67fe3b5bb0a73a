//! A pool of no slots
//!
//! Fix: write 1 or more; or leave the key out, and the pool grows as it needs to.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 0)]
struct Bullet([f32; 4]);

fn main() {}
