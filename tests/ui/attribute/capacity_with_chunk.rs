//! A first chunk for a pool that never grows
//!
//! Fix: write `capacity` alone, for one chunk of that many slots; or `chunk` and `max`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 64, chunk = 16)]
struct Bullet([f32; 4]);

fn main() {}
