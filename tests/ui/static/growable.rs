//! A static pool without a capacity
//!
//! Fix: write a capacity, `static, capacity = 64`; in this version static pools do not grow.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc_with(|| Bullet([0.0; 4]));
    std::thread::spawn(move || drop(bullet));
}
