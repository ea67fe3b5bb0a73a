//! As `no_struct`: a keyword that begins a block of any type.

#![forbid(unsafe_code)]

use typed_pool::{FreeList, init};

fn main() {
    let _ = FreeList::<String>::new().init(init!(loop {}));
}
