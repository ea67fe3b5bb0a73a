//! A first chunk over the limit, by constants
//!
//! Fix: lower `chunk` to `max` slots at most, or raise `max`.

use typed_pool::Pooled;

const LIMIT: usize = 64;

#[derive(Pooled)]
#[pool(chunk = 2 * LIMIT, max = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
