//! A closure in `unsize!` whose arguments have no types
//!
//! Fix: write them, `|event: &str| event.len()`: the compiler sees the closure before it sees the trait which says what it is
//! called with.

use typed_pool::{any, unsize};

fn main() {
    let handler: any::Box<dyn Fn(&str) -> usize> =
        unsize!(any::Box::new(|event| event.len()) => dyn Fn(&str) -> usize);
}
