//! As `not_derived`: used by its fields (which the compiler does not find then).

use typed_pool::PoolBox;

struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = PoolBox::new(Bullet { speed: 1.0 });
    assert_eq!(bullet.speed, 1.0);
}
