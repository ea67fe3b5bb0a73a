//! As `operator_for_a_type`: a block, a closure, a call, a list.

#![forbid(unsafe_code)]

use typed_pool::init;

struct W {
    a: u8,
}

fn f<T>(_: T) -> W {
    W { a: 1 }
}

fn main() {
    let _ = init!({ W { a: 1 } } {});
    let _ = init!(|| W { a: 1 });
    let _ = init!(f(W { a: 1 }) {});
    let _ = init!(W { a: 1 }; W { a: 1 });
    let _ = init!(W, W { a: 1 });
    let _ = init!(#[allow(unused)] W { a: 1 });
    let _ = init!(0 {});
}
