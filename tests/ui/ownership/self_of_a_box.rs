//! A method that takes `self: PoolBox<Self>`
//!
//! Fix: write a function without `self`, `fn finish(this: PoolBox<Self>)`, and call it by the type's name: stable Rust has such
//! methods for std's pointers only, which the compiler proposes. In a trait with objects (a state that becomes the next one), write
//! `fn next(&mut self) -> Option<PoolBox<dyn State>>`, and the caller puts what it returns in the place of the old box.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct Job {
    name: String,
}

impl Job {
    fn finish(self: PoolBox<Self>) -> String {
        PoolBox::into_inner(self).name
    }
}

fn main() {}
