//! Shared elements of a type parameter that has a pool, and perhaps no room for counts
//!
//! Fix: ask for `T: RefCountedBy<Plain>`, or `RefCountedBy<Atomic>` for a `PoolArc`.

use typed_pool::{PoolArc, PoolRc, Pooled};

struct Shared<T: Pooled>(PoolRc<T>);

struct SharedByThreads<T: Pooled>(PoolArc<T>);

fn main() {}
