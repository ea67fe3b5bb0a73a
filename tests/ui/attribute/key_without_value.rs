//! A key without its value
//!
//! Fix: write how many slots: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity)]
struct Bullet([f32; 4]);

fn main() {}
