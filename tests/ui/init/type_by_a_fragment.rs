//! As `no_struct`: an expression matched by another macro.

#![forbid(unsafe_code)]

use typed_pool::init;

struct W {
    a: u8,
}

macro_rules! of_expression {
    ($type:expr) => {
        init!($type { a: 1 })
    };
}

fn main() {
    let _ = of_expression!(W { a: 1 });
    let _ = of_expression!(todo!());
}
