//! A key like no other
//!
//! Fix: write one of the keys that exist.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(colour = 64)]
struct Bullet([f32; 4]);

fn main() {}
