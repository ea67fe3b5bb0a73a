//! As `arc_of_a_thread_local_pool`: a `PoolWake` for a type with a thread-local pool.

use typed_pool::{PoolArc, PoolWake, Pooled};

#[derive(Pooled)]
#[pool(rc)]
struct Task(u64);

impl PoolWake for Task {
    fn wake(_: PoolArc<Self>) {}
}

fn main() {}
