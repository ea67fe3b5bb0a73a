//! A trait whose objects may leave their thread, for a type that may not
//!
//! Fix: write `#[pool(static)]` on the type, or `PoolObject` as the supertrait.

use typed_pool::{Pooled, StaticPoolObject};

trait Enemy: StaticPoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {}
