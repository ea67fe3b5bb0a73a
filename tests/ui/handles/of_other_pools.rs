//! Handles of pools with boxes, shared elements of pools with handles, and the handle of another type

use typed_pool::{PoolRc, Pooled};

#[derive(Pooled)]
struct Boxed {
    health: i64,
}

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Bullet(u8);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster(u64);

fn main() {
    let goblin = Boxed::pool_insert(Boxed { health: 15 });
    drop(PoolRc::new(Monster(40)));
    let bullet = Bullet::pool_insert(Bullet(1));
    Monster::pool_remove(bullet);
}
