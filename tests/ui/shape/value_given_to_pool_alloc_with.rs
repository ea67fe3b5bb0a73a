//! As `value_given_to_pool_alloc`: to `pool_alloc_with`, which takes a closure.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = Bullet::pool_alloc_with(Bullet { speed: 1.0 });
}
