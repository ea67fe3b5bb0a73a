//! An initialiser that is not used

#![deny(unused_must_use)]

use typed_pool::{FreeList, init};

struct Id(u32);

fn main() {
    init!(Id { 0: 1 });
    init::zeroed::<u32>();
    FreeList::<Id>::new().vacant();
}
