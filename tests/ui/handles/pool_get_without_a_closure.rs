//! `pool_get` without a closure
//!
//! Fix: write `Monster::pool_get(orc, |orc| orc.health)`: the pool lends the element to a closure, and cannot change in it. For a
//! reference, borrow the roster: `let monsters = Monster::pool_borrow();`, then `monsters.get(orc)`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let orc = Monster::pool_insert(Monster { health: 40 });
    let orc = Monster::pool_get(orc);
}
