//! As `rc_without_the_word`: from a box, by `PoolRc::from`, where the compiler says which types it knows instead.

use typed_pool::{PoolBox, PoolRc, Pooled};

#[derive(Pooled)]
struct Squad {
    alive: u64,
}

fn main() {
    let squad = PoolBox::new(Squad { alive: 3 });
    let _squad = PoolRc::from(squad);
}
