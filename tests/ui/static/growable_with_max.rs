//! As `growable`: with a limit.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, max = 64)]
struct Bullet([f32; 4]);

fn main() {}
