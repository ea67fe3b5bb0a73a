//! As `unknown_key`: on a type that is used, and still one error.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled, Default)]
#[pool(capcity = 64)]
struct Bullet([f32; 4]);

struct Gun {
    loaded: PoolBox<Bullet>,
}

fn main() {
    let gun = Gun { loaded: Bullet::pool_alloc() };
    Bullet::pool_free(gun.loaded);
    println!("{}", Bullet::pool_stats());
}
