//! A value for `pool_init`
//!
//! Fix: write `Bullet::pool_alloc_with(|| ..)`, or an initialiser: `init::value(..)`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let _ = Bullet::pool_init(Bullet([0.0; 4]));
}
