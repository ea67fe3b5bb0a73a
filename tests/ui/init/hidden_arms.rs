//! As `macro_for_a_type`: by an inner arm of `init!`.

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
