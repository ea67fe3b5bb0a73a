//! A storage of one's own
//!
//! Fix: write `#[derive(Pooled)]`; for memory of another kind, `FreeList` and its siblings are values.

#![forbid(unsafe_code)]

use typed_pool::__private::{SharedStorage, Storage};
use typed_pool::{Boxes, PoolStats, Pooled};

#[derive(Clone, Copy)]
struct Slots;

struct Bullet([f32; 4]);

impl Storage<Bullet, Boxes> for Slots {
    fn stats(self) -> PoolStats {
        Bullet::pool_stats()
    }
    fn reserve(self, _: usize) {}
    fn touch(self) {}
    fn trim(self) -> usize {
        0
    }
}

impl SharedStorage<Bullet> for Slots {}

impl Pooled for Bullet {
    type __Storage = Slots;
    const __POOL: Slots = Slots;
}

fn main() {}
