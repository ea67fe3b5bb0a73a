//! As `duplicate_key`: in two attributes, which count as one.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 64)]
#[pool(chunk = 128)]
struct Bullet([f32; 4]);

fn main() {}
