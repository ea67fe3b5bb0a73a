//! A method that takes `self` in a box
//!
//! Fix: write a function, `fn next(this: PoolBox<Self>)`, and call it `State::next(state)`: only std's pointers can be the
//! type of `self`.

use typed_pool::{PoolBox, Pooled};

#[derive(Pooled)]
struct State {
    score: u64,
}

impl State {
    fn next(self: PoolBox<Self>) -> u64 {
        self.score
    }
}

fn main() {}
