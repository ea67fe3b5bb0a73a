//! A path to something that is not the library
//!
//! Fix: end the path at typed-pool itself, `crate = engine::pools`, not at the module that holds
//! it.

use typed_pool::Pooled;

mod engine {}

#[derive(Pooled)]
#[pool(crate = engine)]
struct Bullet([f32; 4]);

fn main() {}
