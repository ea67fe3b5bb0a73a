//! As `capacity_zero`: in the first chunk.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 64 - 64)]
struct Bullet([f32; 4]);

fn main() {}
