//! A waker of a task that only one thread may use
//!
//! Fix: what is in the task must be `Send` and `Sync`, since any thread may wake it: a `Mutex` or an atomic.

use std::cell::Cell;

use typed_pool::{PoolArc, PoolWake, Pooled};

#[derive(Pooled)]
#[pool(static, rc)]
struct Task(Cell<u64>);

impl PoolWake for Task {
    fn wake(this: PoolArc<Self>) {
        this.0.set(1);
    }
}

fn main() {}
