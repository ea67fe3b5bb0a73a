//! As `macro_for_a_type`: `const`.

#![forbid(unsafe_code)]

use typed_pool::{FreeList, init};

fn main() {
    let _ = FreeList::<String>::new().init(init!(const {}));
}
