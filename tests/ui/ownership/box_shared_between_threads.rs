//! A box shared between threads
//!
//! Fix: share what the closure needs, a copy or a reference to the element: `let x = &bullet.0;`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    std::thread::scope(|scope| {
        scope.spawn(|| println!("{}", bullet.0[0]));
    });
}
