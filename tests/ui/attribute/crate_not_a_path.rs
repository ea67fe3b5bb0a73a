//! A library that is not a path
//!
//! Fix: write the path by which the crate reaches typed-pool: `crate = engine::pools`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(crate = 64)]
struct Bullet([f32; 4]);

fn main() {}
