//! As `pool_get_without_a_closure`: of `pool_with`, which lends the roster.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    for (_, monster) in Monster::pool_with() {
        monster.health -= 1;
    }
}
