//! A first chunk over the limit
//!
//! Fix: lower `chunk` to `max` slots at most, or raise `max`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 128, max = 64)]
struct Bullet([f32; 4]);

fn main() {}
