//! `zeroable!` without one of the fields
//!
//! Fix: name them all: each is checked.

use typed_pool::zeroable;

struct Name {
    length: usize,
    text: Box<str>,
}

zeroable!(Name { length });

fn main() {}
