//! An equals sign left out
//!
//! Fix: write `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity 64)]
struct Bullet([f32; 4]);

fn main() {}
