//! A number with a fraction
//!
//! Fix: write a whole number of slots: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 64.0)]
struct Bullet([f32; 4]);

fn main() {}
