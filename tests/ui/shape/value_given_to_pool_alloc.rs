//! A value given to `pool_alloc`
//!
//! Fix: write `PoolBox::new(bullet)` for a value that is there, and `Bullet::pool_alloc_with(|| Bullet { .. })` for one that is
//! to be built in its slot. `pool_alloc()` builds a `Default`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = Bullet::pool_alloc(Bullet { speed: 1.0 });
}
