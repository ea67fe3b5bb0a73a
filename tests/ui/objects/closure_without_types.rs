//! A closure in `unsize!` whose arguments have no types
//!
//! Fix: write them, `|event: &str| event.len()`: the compiler reads the closure before the trait that says how it
//! is called.

use typed_pool::{any, unsize};

fn main() {
    let handler: any::Box<dyn Fn(&str) -> usize> =
        unsize!(any::Box::new(|event| event.len()) => dyn Fn(&str) -> usize);
}
