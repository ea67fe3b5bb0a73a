//! An element changed through `pool_borrow`
//!
//! Fix: write `Monster::pool_borrow_mut()`, or change it in a closure: `Monster::pool_get_mut(orc, |orc| orc.health -= 5)`.

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
