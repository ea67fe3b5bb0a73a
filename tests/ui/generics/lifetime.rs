//! A type with a lifetime
//!
//! Fix: own the data (`String` for `&str`), write `&'static str`, or keep the elements in a
//! `FreeList` of your own, which may hold borrows.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token<'a> {
    text: &'a str,
}

fn main() {}
