//! A box of a type parameter without a bound

use typed_pool::PoolBox;

struct List<T> {
    first: Option<PoolBox<T>>,
}

fn main() {}
