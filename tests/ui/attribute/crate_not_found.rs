//! A path to the library that leads nowhere
//!
//! Fix: mend the path; or, if the crate depends on `typed-pool` itself, leave `crate` out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(crate = engine::pools)]
struct Bullet([f32; 4]);

fn main() {}
