//! An element changed through `pool_borrow`

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let orc = Monster::pool_insert(Monster { health: 40 });
    let mut monsters = Monster::pool_borrow();
    monsters[orc].health -= 5;
}
