//! As `inner_arms`: with an address that is none.

#![forbid(unsafe_code)]

struct W {
    a: u32,
}

type Never = std::convert::Infallible;

fn main() {
    let _ = typed_pool::__private::__init!(@build [W] [Never; *place] [{ [] a [1] [] }] []);
    let _ = typed_pool::__private::__init!(@build [W] [Never; place] [{ [] a [*place] [] }] []);
    let _ = typed_pool::__private::__init!(@build [W] [Never; this; that] [{ [] a [1] [] }] []);
    let _ = W { a: 1 };
    let _ = typed_pool::__private::this::<W>(1);
}
