//! A box of a trait object that does not know its pool
//!
//! Fix: write `PoolObject` as the supertrait, `trait Shape: PoolObject`, and make the box by
//! `unsize!(PoolBox::new(circle) => dyn Shape)`; or use an enum of the types.

use typed_pool::PoolBox;

trait Shape {}

struct Scene {
    shapes: Vec<PoolBox<dyn Shape>>,
}

fn main() {}
