//! As `no_struct`: `unsafe`.

#![forbid(unsafe_code)]

use typed_pool::{FreeList, init};

fn main() {
    let _ = FreeList::<String>::new().init(init!(unsafe {}));
}
