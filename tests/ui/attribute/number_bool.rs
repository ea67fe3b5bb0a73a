//! A truth value for a number
//!
//! Fix: write how many slots: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = true)]
struct Bullet([f32; 4]);

fn main() {}
