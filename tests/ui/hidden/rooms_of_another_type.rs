//! Counts in the room of another type's
//!
//! Fix: write `#[derive(Pooled)]`, and each type has room of its own.

#![forbid(unsafe_code)]

use typed_pool::Pooled;
use typed_pool::__private::{__static_slots, FixedStack, InStatic, Rooms};

#[derive(Pooled)]
#[pool(static, capacity = 4)]
struct Bullet([f32; 4]);

struct Rocket([f32; 4]);

impl Pooled for Rocket {
    type __Storage = InStatic<FixedStack<Self, 4>>;
    const __POOL: Self::__Storage = __static_slots!(FixedStack<Rocket, 4>);
    const __COUNTS: Rooms<Self> = Bullet::__COUNTS;
}

fn main() {}
