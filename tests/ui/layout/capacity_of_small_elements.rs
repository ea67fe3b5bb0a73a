//! As `capacity_over_address_space`: with elements that would fit, but not the pointers to them.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = pointer_stack, capacity = usize::MAX / 4)]
struct Spark(u8);

fn main() {}
