//! A box of a type parameter without a bound
//!
//! Fix: write `T: Pooled`, which is for types that have a pool. For all types take `any::Box<T>`, or let the caller give a
//! `FreeList<T>`.

use typed_pool::PoolBox;

struct List<T> {
    first: Option<PoolBox<T>>,
}

fn main() {}
