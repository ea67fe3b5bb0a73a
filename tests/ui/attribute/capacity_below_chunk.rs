//! As `capacity_with_chunk`: the chunk larger than the capacity.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 128, capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
