//! A box freed to the pool of another type
//!
//! Fix: free it to its own pool, `Bullet::pool_free(bullet)`, or let it drop.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

#[derive(Pooled, Default)]
struct Rocket([f32; 4]);

fn main() {
    Rocket::pool_free(Bullet::pool_alloc());
}
