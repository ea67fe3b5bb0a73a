//! A trait whose objects may leave their thread, for a type that may not

use typed_pool::{Pooled, StaticPoolObject};

trait Enemy: StaticPoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {}
