//! A box of a type without a pool
//!
//! Fix: write `#[derive(Pooled)]` on the type.

use typed_pool::PoolBox;

struct Bullet([f32; 4]);

fn main() {
    let bullet = PoolBox::new(Bullet([0.0; 4]));
}
