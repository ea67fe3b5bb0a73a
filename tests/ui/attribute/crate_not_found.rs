//! A path to the library that leads nowhere
//!
//! Fix: correct the path; or, if your crate depends on `typed-pool` directly, leave `crate` out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(crate = engine::pools)]
struct Bullet([f32; 4]);

fn main() {}
