//! A key like none that exists
//!
//! Fix: write one of the keys that the message lists.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(colour = 64)]
struct Bullet([f32; 4]);

fn main() {}
