//! An initialiser used twice
//!
//! Fix: make one for each element, with a closure, say: `let zeros = || init::value([0_u8; 64]);`.

use typed_pool::{FreeList, init};

fn main() {
    let pool = FreeList::new();
    let zeros = init::value([0_u8; 64]);
    let _first = pool.init(zeros);
    let _second = pool.init(zeros);
}
