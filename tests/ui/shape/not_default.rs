//! `pool_alloc` of a type without `Default`
//!
//! Fix: derive `Default`, or say what to build: `Bullet::pool_alloc_with(|| Bullet([0.0; 4]))`.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
}
