//! A string for the whole attribute
//!
//! Fix: write keys in parentheses: `#[pool(capacity = 64)]`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool = "capacity"]
struct Bullet([f32; 4]);

fn main() {}
