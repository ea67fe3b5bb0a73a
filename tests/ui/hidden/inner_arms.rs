//! A macro or a keyword where a type, a field or a value is meant, by an inner arm of `init!`

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
    let _ = typed_pool::__private::__init!(@build [conjure!] [Never] [] []);
    let _ = typed_pool::__private::__init!(@path [conjure!] [Never] [] W);
    let _ = typed_pool::__private::__init!(@build [W] [Never] [{ [#[inline]] a [String::new()] [] }] []);
    let _ = typed_pool::__private::__init!(@build [W] [Never] [{ [] a unsafe [] }] []);
    let _ = W { a: String::new() };
}
