//! A semicolon for a comma
//!
//! Fix: write `chunk = 64, max = 128`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(chunk = 64; max = 128)]
struct Bullet([f32; 4]);

fn main() {}
