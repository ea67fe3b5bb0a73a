//! An empty name
//!
//! Fix: write a name; or leave the key out, and the pool is named after its type.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(name = "")]
struct Bullet([f32; 4]);

fn main() {}
