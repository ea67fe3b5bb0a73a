//! A name without quotes
//!
//! Fix: write a string: `name = "bullets"`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(name = bullets)]
struct Bullet([f32; 4]);

fn main() {}
