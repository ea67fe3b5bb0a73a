//! A method that takes `self: PoolBox<Self>`
//!
//! Fix: write a function without `self`, `fn finish(this: PoolBox<Self>)`, because stable Rust has such methods for std's pointers
//! only. (The compiler proposes one.) In a trait, a state that becomes the next one is `fn next(&mut self) ->
//! Option<PoolBox<dyn State>>`, and the caller replaces the old box.

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
