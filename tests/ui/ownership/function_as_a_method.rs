//! `leak`, `into_inner` or another function of boxes called as a method
//!
//! Fix: write `PoolBox::into_inner(job)`, `PoolBox::leak(job)`. As with `Box`, these are functions, so that the element's own
//! methods stay visible.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Job {
    name: String,
}

fn main() {
    let job = PoolBox::new(Job { name: "mine".into() });
    let job: &mut Job = job.leak();
}
