//! As `capacity_zero`: in the limit.

use typed_pool::Pooled;

const LIMIT: usize = 0;

#[derive(Pooled)]
#[pool(chunk = 64, max = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
