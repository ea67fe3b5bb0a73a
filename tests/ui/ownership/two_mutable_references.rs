//! Two mutable references into one box
//!
//! Fix: borrow the element once, `let bullet = &mut *bullet;`, and then different fields of it.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let mut bullet = Bullet::pool_alloc();
    let (x, y) = (&mut bullet.0, &mut bullet.0);
    std::mem::swap(x, y);
}
