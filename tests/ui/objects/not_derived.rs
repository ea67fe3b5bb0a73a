//! An object in a pool of its type's own, of a type that has none

use typed_pool::PoolObject;

trait Shape: PoolObject {}

struct Square(f64);

impl Shape for Square {}

fn main() {}
