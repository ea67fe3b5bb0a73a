//! One comma too many
//!
//! Fix: write one.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 64,, max = 128)]
struct Bullet([f32; 4]);

fn main() {}
