//! More slots than a handle can number
//!
//! Fix: write `u32::MAX` or less; no machine has memory for more.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster, max = 1 << 32)]
struct Monster {
    health: i32,
}

fn main() {}
