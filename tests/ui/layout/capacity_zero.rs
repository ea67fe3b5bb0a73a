//! A pool of no slots, by a constant
//!
//! Fix: write 1 or more; or leave the key out, and the pool grows as it needs to.

use typed_pool::Pooled;

const LIMIT: usize = 0;

#[derive(Pooled)]
#[pool(capacity = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
