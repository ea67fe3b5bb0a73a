//! A handle of a type whose pool has boxes

use typed_pool::Pooled;

#[derive(Pooled)]
struct Monster {
    health: i64,
}

fn main() {
    let goblin = Monster::pool_insert(Monster { health: 15 });
}
