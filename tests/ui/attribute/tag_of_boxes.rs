//! A tag on a pool of boxes
//!
//! Fix: remove `tag`, or write `strategy = roster`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(tag = 7)]
struct Bullet([f32; 4]);

fn main() {}
