//! A static roster of elements that are not `Sync`

use std::cell::Cell;
use std::rc::Rc;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Monster {
    health: Cell<i32>,
}

// Of elements that are not even `Send`.
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Name(Rc<str>);

fn main() {}
