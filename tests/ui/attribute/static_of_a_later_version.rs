//! A pool for all threads
//!
//! Fix: this version has one for each thread: remove `static`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Bullet([f32; 4]);

fn main() {}
