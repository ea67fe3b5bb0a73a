//! A tag that is no `u8`
//!
//! Fix: write a number from 0 to 255.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster, tag = 256)]
struct Monster(u32);

fn main() {}
