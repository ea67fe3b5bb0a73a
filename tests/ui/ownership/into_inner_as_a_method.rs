//! A function of boxes called as a method
//!
//! Fix: write `PoolBox::into_inner(job)`, `PoolBox::leak(job)`. As with `Box` they are no methods, so that they hide none of
//! the element's.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Job {
    name: String,
}

fn main() {
    let job = PoolBox::new(Job { name: "mine".into() });
    let job: Job = job.into_inner();
}
