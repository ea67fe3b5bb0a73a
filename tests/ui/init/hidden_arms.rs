//! The inner arms of the macro by hand
//!
//! Fix: use `init!`: what it calls is its own, and refuses the same.

#![forbid(unsafe_code)]

struct W {
    a: String,
}

macro_rules! conjure {
    ($($tokens:tt)*) => {
        todo!()
    };
}

type Never = std::convert::Infallible;

fn main() {
    let _ = pool_core::__init!(@build [conjure!] [Never] [] []);
    let _ = pool_core::__init!(@path [conjure!] [Never] [] W);
    let _ = pool_core::__init!(@build [W] [Never] [{ [#[inline]] a [String::new()] [] }] []);
    let _ = pool_core::__init!(@build [W] [Never] [{ [] a unsafe [] }] []);
    let _ = W { a: String::new() };
}
