//! As `capacity_over_address_space`: as a limit.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(max = usize::MAX)]
struct Bullet([f32; 4]);

fn main() {}
