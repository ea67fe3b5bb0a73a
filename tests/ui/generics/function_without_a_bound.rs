//! A generic function that boxes its argument, without a bound

use typed_pool::PoolBox;

fn make<T>(value: T) -> PoolBox<T> {
    PoolBox::new(value)
}

fn main() {}
