//! As `capacity_with_chunk`: with `max` as well.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 16, max = 64, capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
