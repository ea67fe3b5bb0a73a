//! As `boxes_of_a_roster`: by `PoolBox::new`.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let orc = PoolBox::new(Monster { health: 40 });
}
