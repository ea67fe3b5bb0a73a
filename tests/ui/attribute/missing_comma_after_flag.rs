//! As `missing_comma`: after a key without a value.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
