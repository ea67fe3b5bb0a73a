//! A strategy in quotes
//!
//! Fix: write it without: `strategy = free_list`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = "free_list")]
struct Bullet([f32; 4]);

fn main() {}
