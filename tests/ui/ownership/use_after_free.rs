//! An element used after it was freed
//!
//! Fix: use it before the free, or free it later.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    Bullet::pool_free(bullet);
    println!("{}", bullet.0[0]);
}
