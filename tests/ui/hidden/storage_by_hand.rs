//! A storage of your own
//!
//! Fix: write `#[derive(Pooled)]`; for memory of another kind, `FreeList` and its siblings are values.

#![forbid(unsafe_code)]

use typed_pool::__private::{SharedStorage, SlotsOf, Storage};
use typed_pool::{Global, Pooled};

#[derive(Clone, Copy)]
struct Slots;

struct Bullet([f32; 4]);

impl Storage<Bullet> for Slots {
    type Slots = SlotsOf<Bullet>;
    type Boxes = Global;
    type Roster = Self;
}

impl SharedStorage<Bullet> for Slots {}

impl Pooled for Bullet {
    type __Storage = Slots;
    const __POOL: Global = Global;
}

fn main() {}
