//! A closure that outlives what it borrows
//!
//! Fix: write `move`, or name the lifetime in the type that is returned, `any::Box<dyn Fn() -> usize + '_>`.

use typed_pool::{any, unsize};

fn length(text: &str) -> any::Box<dyn Fn() -> usize> {
    unsize!(any::Box::new(|| text.len()) => dyn Fn() -> usize)
}

fn main() {
    length("text");
}
