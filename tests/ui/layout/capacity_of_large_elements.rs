//! As `capacity_over_address_space`: with large elements.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(capacity = 1024)]
struct World([u8; 1 << 54]);

fn main() {}
