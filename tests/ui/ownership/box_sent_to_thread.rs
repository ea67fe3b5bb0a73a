//! A box sent to another thread
//!
//! Fix: write `#[pool(static)]` below the derive, for one pool that all threads share; or send the value,
//! `PoolBox::into_inner(bullet)`, or keep it in a `Box`.

use typed_pool::Pooled;

#[derive(Pooled, Default)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = Bullet::pool_alloc();
    std::thread::spawn(move || drop(bullet));
}
