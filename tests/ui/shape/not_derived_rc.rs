//! As `not_derived`: shared, in a `PoolRc`.

use typed_pool::PoolRc;

struct Squad {
    alive: u64,
}

fn main() {
    let squad = PoolRc::new(Squad { alive: 3 });
}
