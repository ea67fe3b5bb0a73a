//! An `unsafe` call in a field

use typed_pool::init;

unsafe fn next_id() -> u32 {
    1
}

struct Ids(u32, u32);

fn main() {
    let _ = init!(Ids { 0: next_id(), 1 <- init::value(next_id()) });
}
