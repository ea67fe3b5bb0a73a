//! A box freed twice
//!
//! Fix: free it once, or not at all: it frees itself when it is dropped.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    Bullet::pool_free(bullet);
    Bullet::pool_free(bullet);
}
