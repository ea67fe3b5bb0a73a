//! As `capacity_over_address_space`: in the limit.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(max = usize::MAX)]
struct Bullet([f32; 4]);

fn main() {}
