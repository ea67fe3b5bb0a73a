//! A value given to `pool_alloc`
//!
//! Fix: write `PoolBox::new(bullet)` for a value, and `Bullet::pool_alloc_with(|| Bullet { .. })` to build one in its slot.
//! `pool_alloc()` builds a `Default`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = Bullet::pool_alloc(Bullet { speed: 1.0 });
}
