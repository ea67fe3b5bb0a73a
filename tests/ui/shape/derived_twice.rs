//! The derive written twice
//!
//! Fix: remove one.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
#[derive(Pooled)]
#[pool(capacity = 64)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    Bullet::pool_free(bullet);
}
