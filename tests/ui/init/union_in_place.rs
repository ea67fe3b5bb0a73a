//! A union in place

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
