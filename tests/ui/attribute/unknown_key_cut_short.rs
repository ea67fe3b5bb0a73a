//! As `unknown_key`: cut short.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(cap = 64)]
struct Bullet([f32; 4]);

fn main() {}
