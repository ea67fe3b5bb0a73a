//! A key without its value
//!
//! Fix: write the number of slots: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity)]
struct Bullet([f32; 4]);

fn main() {}
