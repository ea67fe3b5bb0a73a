//! As `not_derived`: by `pool_alloc`, `pool_insert` or another function of pools.

use typed_pool::Pooled;

#[derive(Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
}
