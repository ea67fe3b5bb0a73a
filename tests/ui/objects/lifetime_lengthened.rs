//! An object that is to live longer than it may

use typed_pool::{PoolBox, PoolObject, unsize};

trait Source<'a>: PoolObject {}

fn longer<'a>(source: PoolBox<dyn Source<'a>>) -> PoolBox<dyn Source<'static>> {
    unsize!(source => dyn Source<'static>)
}

fn main() {}
