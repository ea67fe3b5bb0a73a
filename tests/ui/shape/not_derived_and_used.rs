//! As `not_derived`: and its fields are used, which the compiler then does not find.

use typed_pool::PoolBox;

struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = PoolBox::new(Bullet { speed: 1.0 });
    assert_eq!(bullet.speed, 1.0);
}
