//! A key that does not exist
//!
//! Fix: write the key that you mean: `capacity`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capcity = 64)]
struct Bullet([f32; 4]);

fn main() {}
