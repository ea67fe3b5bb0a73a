//! A constant that is not in scope
//!
//! Fix: import it, or write its path: `capacity = limits::LIMIT`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
