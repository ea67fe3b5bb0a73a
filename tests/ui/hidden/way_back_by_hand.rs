//! A way back of one's own

use typed_pool::{PoolObject, StaticPoolObject};

struct Elf(u64);

impl PoolObject for Elf {}

impl StaticPoolObject for Elf {}

fn main() {}
