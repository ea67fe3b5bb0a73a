//! As `boxes_of_a_roster`: by `pool_vacant`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let slot = Monster::pool_vacant();
}
