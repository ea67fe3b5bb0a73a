//! A strategy of a later version
//!
//! Fix: write `strategy = free_list`, or leave it out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Bullet([f32; 4]);

fn main() {}
