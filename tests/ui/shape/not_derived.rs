//! A box of a type without a pool
//!
//! Fix: write `#[derive(Pooled)]` on the type; wrap a foreign one in a struct of your own, or use a
//! `FreeList`.

use typed_pool::PoolBox;

struct Bullet([f32; 4]);

fn main() {
    let bullet = PoolBox::new(Bullet([0.0; 4]));
}
