//! As `key_without_value`: with nothing after the `=`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = , pad)]
struct Bullet([f32; 4]);

fn main() {}
