//! A field that borrows
//!
//! Fix: own the data (`String` for `&str`), or write `&'static str`: a named lifetime is refused as
//! well.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token {
    text: &str,
}

fn main() {}
