//! The bound that no pool meets, implemented by hand

#![forbid(unsafe_code)]

use std::cell::Cell;

use typed_pool::FreeList;
use typed_pool::checks::SharedPool;

struct Counter(Cell<u64>);

impl SharedPool<Counter> for () {}

fn shared<T: Sync>() {}

fn main() {
    shared::<FreeList<Counter>>();
}
