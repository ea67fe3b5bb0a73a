//! The inner arms of the macro by hand
//!
//! Fix: use `init!`: what it calls is its own, and refuses the same.

#![forbid(unsafe_code)]

use typed_pool::init;

enum Shape {
    Empty,
}

struct W {
    a: String,
    b: String,
}

macro_rules! conjure {
    ($($tokens:tt)*) => {
        todo!()
    };
}

type Never = std::convert::Infallible;

fn main() {
    // Neither a value nor an initialiser, and both.
    let _ = pool_core::__init!(@build [W] [Never] [{ [] a [] [] } { [] b [] [] }] []);
    let _ = pool_core::__init!(@build [W] [Never]
        [{ [] a [String::new()] [init::default()] } { [] b [String::new()] [] }] []);
    // Fewer fields.
    let _ = pool_core::__init!(@build [W] [Never] [{ [] a [String::new()] [] }] []);
    // No struct, or none that is a path.
    let _ = pool_core::__init!(@build [Shape::Empty] [Never] [] []);
    let _ = pool_core::__init!(@build [conjure!] [Never] [] []);
    let _ = pool_core::__init!(@path [conjure!] [Never] [] W);
    // An attribute that is not passed over.
    let _ = pool_core::__init!(@build [W] [Never] [{ [#[inline]] a [String::new()] [] }] []);
    let _ = (Shape::Empty, W { a: String::new(), b: String::new() });
}
