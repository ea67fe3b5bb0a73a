//! As `without_unsize`: of a type's own pool.

use typed_pool::{PoolBox, PoolObject, Pooled};

trait Shape: PoolObject {}

#[derive(Pooled)]
struct Square(f64);

impl Shape for Square {}

fn main() {
    let shapes: Vec<PoolBox<dyn Shape>> = vec![PoolBox::new(Square(1.0))];
}
