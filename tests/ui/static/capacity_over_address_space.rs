//! As `capacity_over_index_range`: with slots that no memory holds.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 1 << 60)]
struct Bullet([f32; 4]);

fn main() {}
