//! A reference to an element, kept after `pool_get`
//!
//! Fix: do the work within the closure, or return a copy.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let goblin = Monster::pool_insert(Monster { health: 15 });
    let _kept: Option<&Monster> = Monster::pool_get(goblin, |goblin| goblin);
}
