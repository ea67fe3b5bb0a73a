//! A boolean for a number
//!
//! Fix: write the number of slots: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = true)]
struct Bullet([f32; 4]);

fn main() {}
