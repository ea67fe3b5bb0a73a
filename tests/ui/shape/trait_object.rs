//! A box of a trait object
//!
//! Fix: a pool has slots of one size: use an enum of the types, or a `Box<dyn Shape>`.

use typed_pool::PoolBox;

trait Shape {}

struct Scene {
    shapes: Vec<PoolBox<dyn Shape>>,
}

fn main() {}
