//! As `inner_arms`: a field with neither value nor initialiser, or with both.

#![forbid(unsafe_code)]

use typed_pool::init;

struct W {
    a: String,
    b: String,
}

enum Shape {
    Empty,
}

type Never = std::convert::Infallible;

fn main() {
    let _ = typed_pool::__private::__init!(@build [W] [Never] [{ [] a [] [] } { [] b [] [] }] []);
    let _ = typed_pool::__private::__init!(@build [W] [Never]
        [{ [] a [String::new()] [init::with(String::new)] } { [] b [String::new()] [] }] []);
    let _ = typed_pool::__private::__init!(@build [W] [Never] [{ [] a [String::new()] [] }] []);
    let _ = typed_pool::__private::__init!(@build [Shape::Empty] [Never] [] []);
    let _ = (Shape::Empty, W { a: String::new(), b: String::new() });
}
