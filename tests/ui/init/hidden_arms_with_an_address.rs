//! As `macro_for_a_type`: by an inner arm of `init!`, with an address that is none.

#![forbid(unsafe_code)]

struct W {
    a: u32,
}

type Never = std::convert::Infallible;

fn main() {
    let _ = pool_core::__init!(@build [W] [Never; *place] [{ [] a [1] [] }] []);
    let _ = pool_core::__init!(@build [W] [Never; place] [{ [] a [*place] [] }] []);
    let _ = pool_core::__init!(@build [W] [Never; this; that] [{ [] a [1] [] }] []);
    let _ = W { a: 1 };
    let _ = pool_core::__private::this::<W>(1);
}
