//! A number with the suffix of another type
//!
//! Fix: write `64`, or `64usize`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 64u8)]
struct Bullet([f32; 4]);

fn main() {}
