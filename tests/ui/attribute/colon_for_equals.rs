//! As `no_equals`: a colon in place of the equals sign.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity: 64)]
struct Bullet([f32; 4]);

fn main() {}
