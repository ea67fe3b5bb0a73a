//! `#[derive(Zeroable)]` on a union
//!
//! Fix: hold it in a `MaybeUninit`, which may be zeroed, and assert the rest where it is read.

use typed_pool::Zeroable;

#[derive(Zeroable)]
union Either {
    number: u32,
    text: &'static str,
}

fn main() {
    let _ = (Either { number: 1 }, Either { text: "" });
}
