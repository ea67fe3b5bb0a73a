//! Unsafe code in an initialiser, without a word

use typed_pool::{FreeList, Init, init};

unsafe fn next_id() -> u32 {
    1
}

struct Ids(u32, u32);

fn main() {
    let _ = init!(Ids { 0: next_id(), 1 <- init::value(next_id()) });
    let _ = FreeList::<String>::new().init(init::from_closure(|_| Ok::<(), ()>(())));
    let mut place = 0;
    let _ = init::value(1).init(&mut place);
}
