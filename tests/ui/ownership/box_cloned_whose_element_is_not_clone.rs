//! A box cloned whose element is not `Clone`
//!
//! Fix: derive `Clone` on the element, and a clone of the box is another element. For one element with many owners write
//! `#[pool(rc)]` on the type, and keep a `PoolRc`.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Bullet {
    speed: f64,
}

fn main() {
    let bullet = PoolBox::new(Bullet { speed: 1.0 });
    let other = bullet.clone();
}
