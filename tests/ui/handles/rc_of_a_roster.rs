//! A `PoolRc` of a type with handles

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster(u64);

fn main() {
    drop(PoolRc::new(Monster(40)));
}
