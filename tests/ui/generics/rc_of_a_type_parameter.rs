//! Shared elements of a type parameter that has a pool, and perhaps no room for counts

use typed_pool::{PoolArc, PoolRc, Pooled};

fn shared<T: Pooled>(value: T) -> PoolRc<T> {
    PoolRc::new(value)
}

fn shared_by_threads<T: Pooled + Default>() -> PoolArc<T> {
    PoolArc::default()
}

fn main() {}
