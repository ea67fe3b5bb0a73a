//! A number beyond `usize`
//!
//! Fix: write fewer slots; or leave the key out, and the pool grows as it needs to.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 0x1_0000_0000_0000_0000)]
struct Bullet([f32; 4]);

fn main() {}
