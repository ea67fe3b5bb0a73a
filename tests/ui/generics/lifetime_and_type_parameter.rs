//! As `lifetime`: with a type parameter as well.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token<'a, T> {
    value: &'a T,
}

fn main() {}
