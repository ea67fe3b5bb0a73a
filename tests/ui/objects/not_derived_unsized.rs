//! As `not_derived`: and `unsize!` is given one.

use typed_pool::{PoolBox, PoolObject, unsize};

trait Shape: PoolObject {}

struct Square(f64);

impl Shape for Square {}

fn main() {
    let shape = unsize!(PoolBox::new(Square(1.0)) => dyn Shape);
}
