//! A path to something that is not the library

use typed_pool::Pooled;

mod engine {}

#[derive(Pooled)]
#[pool(crate = engine)]
struct Bullet([f32; 4]);

fn main() {}
