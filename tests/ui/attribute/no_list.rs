//! An attribute without keys
//!
//! Fix: write keys in parentheses, or remove the attribute: `#[derive(Pooled)]` is enough.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool]
struct Bullet([f32; 4]);

fn main() {}
