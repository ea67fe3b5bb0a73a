//! As `value_given_to_pool_alloc`: as a method of the value.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = Bullet { speed: 1.0 }.pool_alloc();
}
