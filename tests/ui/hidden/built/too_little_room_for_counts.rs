//! As `rooms_of_another_type`: fewer rooms than slots.

#![forbid(unsafe_code)]

use typed_pool::__private::{__static_rooms, __static_slots, FixedStack, InStatic, Rooms};
use typed_pool::{PoolRc, Pooled};

struct Rocket(u64);

impl Pooled for Rocket {
    type __Storage = InStatic<FixedStack<Self, 4>>;
    const __POOL: Self::__Storage = __static_slots!(FixedStack<Rocket, 4>);
    const __COUNTS: Rooms<Self> = __static_rooms!(Rocket, 3);
}

fn main() {
    drop(PoolRc::new(Rocket(1)));
}
