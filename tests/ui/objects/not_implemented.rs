//! An object of a trait that the type does not implement
//!
//! Fix: write `impl Shape for Bullet`.

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

trait Shape: PoolObject {}

#[derive(Pooled)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = PoolBox::new(Bullet([0.0; 4]));
    let shape = unsize!(bullet => dyn Shape);
    drop(shape);
}
