//! The handle of another type

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Bullet(u8);

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster(u8);

fn main() {
    let bullet = Bullet::pool_insert(Bullet(1));
    Monster::pool_remove(bullet);
}
