//! As `name_unquoted`: a number as name.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(name = 1)]
struct Bullet([f32; 4]);

fn main() {}
