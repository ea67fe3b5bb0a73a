//! As `pool_get_without_a_closure`: a handle used as if it were its element.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let orc = Monster::pool_insert(Monster { health: 40 });
    assert_eq!(orc.health, 40);
}
