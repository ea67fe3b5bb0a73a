//! More slots than a static pool can have
//!
//! Fix: write 4294967295 or less (65535 or less on a target that compares and swaps 32 bits).

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, capacity = 1 << 32)]
struct Spark(u8);

fn main() {}
