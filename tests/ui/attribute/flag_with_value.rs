//! A value for a key that takes none
//!
//! Fix: write the key alone: `pad`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(pad = true)]
struct Bullet([f32; 4]);

fn main() {}
