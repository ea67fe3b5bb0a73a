//! As `capacity_over_index_range`: more than any memory has room for.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 1 << 60)]
struct Bullet([f32; 4]);

fn main() {}
