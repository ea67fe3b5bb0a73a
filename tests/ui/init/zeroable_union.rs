//! `zeroable!` of a union
//!
//! Fix: hold it in a `MaybeUninit`, which may be zeroed, and assert the rest where it is read.

use typed_pool::zeroable;

union Either {
    number: u32,
    reference: &'static u32,
}

zeroable!(Either { number });

fn main() {}
