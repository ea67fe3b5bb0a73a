//! More slots than the address space has room for
//!
//! Fix: write fewer: `capacity` counts elements, not bytes.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = usize::MAX / 8)]
struct Bullet([f32; 4]);

fn main() {}
