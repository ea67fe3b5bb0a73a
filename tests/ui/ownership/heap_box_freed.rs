//! A box of the heap freed to a pool
//!
//! Fix: let it drop, or allocate it from the pool: `Bullet::pool_alloc()`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    Bullet::pool_free(Box::new(Bullet::default()));
}
