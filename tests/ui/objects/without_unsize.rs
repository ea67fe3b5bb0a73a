//! A box of a value where a box of a trait object is asked for
//!
//! Fix: write `unsize!(PoolBox::new(Square(1.0)) => dyn Shape)`, because only std's pointers coerce to objects. (The compiler
//! proposes `Box<dyn Shape>`, which is on the heap.)

use typed_pool::{PoolBox, PoolObject, Pooled};

trait Shape: PoolObject {}

#[derive(Pooled)]
struct Square(f64);

impl Shape for Square {}

fn main() {
    let shapes: Vec<PoolBox<dyn Shape>> = vec![PoolBox::new(Square(1.0))];
}
