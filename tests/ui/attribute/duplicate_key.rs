//! A key given twice
//!
//! Fix: keep the one that you mean.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 64, chunk = 128)]
struct Bullet([f32; 4]);

fn main() {}
