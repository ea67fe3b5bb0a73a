//! As `enum_variant`: of an enum that has no other value.

#![forbid(unsafe_code)]

use std::convert::Infallible;
use typed_pool::{init, try_init};

enum Always {
    Is { value: Box<u8> },
    Never(Infallible),
}

fn main() {
    let _ = try_init!(Always::Is { value <- init::value(Box::new(1)) } ? ());
    let _ = Always::Never;
}
