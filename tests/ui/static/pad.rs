//! `pad` in a static pool with a capacity
//!
//! Fix: remove `pad`; the slots are as small as their elements.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = free_list, capacity = 64, pad)]
struct Spark(u8);

fn main() {}
