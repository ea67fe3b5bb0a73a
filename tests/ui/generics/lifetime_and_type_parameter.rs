//! As `lifetime`: and a type parameter, too.

use typed_pool::Pooled;

#[derive(Pooled)]
struct Token<'a, T> {
    value: &'a T,
}

fn main() {}
