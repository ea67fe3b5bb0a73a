//! A union in place
//!
//! Fix: build it as a value, `init::with(|| Either { number: 1 })`: it holds one field at a time.

#![forbid(unsafe_code)]

use typed_pool::init;

union Either {
    number: u32,
    text: &'static str,
}

type Alias = Either;

fn main() {
    let _ = init!(Either { number: 1 });
    let _ = init!(Alias { text <- init::value("") });
}
