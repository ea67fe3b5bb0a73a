//! A generic function that boxes its argument, without a bound
//!
//! Fix: write `T: Pooled`, as the compiler says.

use typed_pool::PoolBox;

fn make<T>(value: T) -> PoolBox<T> {
    PoolBox::new(value)
}

fn main() {}
