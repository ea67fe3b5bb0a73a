//! A static pool of no slots
//!
//! Fix: write 1 or more.

use typed_pool::Pooled;

const NONE: usize = 0;

#[derive(Pooled)]
#[pool(static, capacity = NONE)]
struct Bullet([f32; 4]);

fn main() {}
