//! As `key_without_value`: a name left out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(name)]
struct Bullet([f32; 4]);

fn main() {}
