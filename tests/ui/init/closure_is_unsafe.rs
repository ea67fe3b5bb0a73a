//! A closure as an initialiser, without a word
//!
//! Fix: `init::from_closure` is `unsafe`, since nothing checks what the closure has built: keep its contract, or use `init!`.

use typed_pool::{FreeList, init};

fn main() {
    let pool = FreeList::<String>::new();
    let _ = pool.init(init::from_closure(|_| Ok::<(), ()>(())));
}
