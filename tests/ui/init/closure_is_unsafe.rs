//! A closure as an initialiser, without a word

use typed_pool::{FreeList, init};

fn main() {
    let pool = FreeList::<String>::new();
    let _ = pool.init(init::from_closure(|_| Ok::<(), ()>(())));
}
