//! A value without its key
//!
//! Fix: name the key: `capacity = 64`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(64)]
struct Bullet([f32; 4]);

fn main() {}
