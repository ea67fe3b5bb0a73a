//! The attribute by another name
//!
//! Fix: write `#[pool(capacity = 64)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pooled(capacity = 64)]
struct Bullet([f32; 4]);

fn main() {}
