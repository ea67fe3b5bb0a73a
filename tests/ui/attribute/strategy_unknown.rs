//! A strategy that does not exist
//!
//! Fix: write `strategy = free_list`, or leave it out.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = freelist)]
struct Bullet([f32; 4]);

fn main() {}
