//! A strategy without its key
//!
//! Fix: write `strategy = roster`.

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(roster)]
struct Bullet([f32; 4]);

fn main() {
    Bullet::pool_insert(Bullet([0.0; 4]));
}
