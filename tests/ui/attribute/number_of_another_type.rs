//! A constant of another type
//!
//! Fix: make the constant a `usize`, or convert it: `capacity = LIMIT as usize`.

use typed_pool::Pooled;

const LIMIT: u32 = 64;

#[derive(Pooled)]
#[pool(capacity = LIMIT)]
struct Bullet([f32; 4]);

fn main() {}
