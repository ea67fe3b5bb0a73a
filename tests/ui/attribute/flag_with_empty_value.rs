//! As `flag_with_value`: with nothing after the `=`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad =)]
struct Bullet([f32; 4]);

fn main() {}
