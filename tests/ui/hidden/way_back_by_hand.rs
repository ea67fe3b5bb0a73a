//! A way back of one's own
//!
//! Fix: write `#[derive(Pooled)]`. What a slot goes back to has to be the pool that it came from.

use typed_pool::{PoolObject, StaticPoolObject};

struct Elf(u64);

impl PoolObject for Elf {}

impl StaticPoolObject for Elf {}

fn main() {}
