//! A reserved slot filled twice
//!
//! Fix: reserve one for each element.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let slot = Bullet::pool_vacant();
    let _first = slot.fill(Bullet([0.0; 4]));
    let _second = slot.fill(Bullet([1.0; 4]));
}
