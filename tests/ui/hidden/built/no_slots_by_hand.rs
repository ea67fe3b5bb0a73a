//! As `zero_sized_by_hand`: a static pool without slots.

#![forbid(unsafe_code)]

use typed_pool::__private::{__static_slots, FixedStack, InStatic};
use typed_pool::Pooled;

struct Few(u64);

impl Pooled for Few {
    type __Storage = InStatic<FixedStack<Self, 0>>;
    const __POOL: Self::__Storage = __static_slots!(FixedStack<Few, 0>);
}

fn main() {
    Few::pool_stats();
}
