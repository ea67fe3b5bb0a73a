//! More slots than a handle can number
//!
//! Fix: write `u32::MAX` or less: a handle has 32 bits for its slot's number.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster, max = 1 << 32)]
struct Monster {
    health: i32,
}

fn main() {}
