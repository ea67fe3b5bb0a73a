//! A static roster of elements that are not `Sync`
//!
//! Fix: use an atomic or a lock in place of the `Cell`; or leave out `static`, and every thread has a
//! roster of its own.

use std::cell::Cell;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Monster {
    health: Cell<i32>,
}

// Of elements that are not even `Send`. Fix: as the hints say.
mod neither_send_nor_sync {
    use std::rc::Rc;

    use typed_pool::Pooled;

    #[derive(Pooled)]
    #[pool(static, strategy = roster)]
    struct Name(Rc<str>);
}

fn main() {}
