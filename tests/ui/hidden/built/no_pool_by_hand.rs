//! `Pooled` implemented by hand, without a pool
//!
//! Fix: write `#[derive(Pooled)]`: there is no other way.

#![forbid(unsafe_code)]

use typed_pool::__private::{FreeList, InThread, LocalPool};
use typed_pool::Pooled;

struct Bullet([f32; 4]);

impl Pooled for Bullet {
    type __Storage = InThread<LocalPool<FreeList<Self>>>;
}

fn main() {
    Bullet::pool_stats();
}
