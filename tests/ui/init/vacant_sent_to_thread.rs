//! A reserved slot sent to another thread
//!
//! Fix: fill and use it on its own thread; send the value.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let slot = Bullet::pool_vacant();
    std::thread::spawn(move || drop(slot));
}
