//! A `PoolRc` of a type whose slots have no room for counts

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
struct Squad {
    alive: u64,
}

fn main() {
    let _squad = PoolRc::new(Squad { alive: 3 });
}
