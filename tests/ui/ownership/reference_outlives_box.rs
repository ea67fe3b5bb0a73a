//! A reference kept after the free
//!
//! Fix: use the reference before the free, or copy what it refers to: `let x = bullet.0[0];`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    let x = &bullet.0[0];
    Bullet::pool_free(bullet);
    println!("{x}");
}
