//! The attribute above the derive
//!
//! Fix: write `#[pool(..)]` below `#[derive(Pooled)]`.

use typed_pool::Pooled;

#[pool(capacity = 64)]
#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {}
