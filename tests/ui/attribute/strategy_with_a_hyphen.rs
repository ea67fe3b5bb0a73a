//! A strategy with a hyphen
//!
//! Fix: write it with an underscore: `strategy = pointer_stack`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointer-stack)]
struct Bullet([f32; 4]);

fn main() {}
