//! The macro's own names

use typed_pool::init;

struct Ids(u32, u32);

fn main() {
    let _ = init!(Ids { 0: 1, 1: unsafe { (*__place).0 } });
    let _ = init!(Ids {
        0: 1,
        1: {
            __done.set(true);
            2
        },
    });
}
