//! `#[derive(Zeroable)]` on a union
//!
//! Fix: keep it in a `MaybeUninit`, which may be zeroed, and call `assume_init` where it is read.

use typed_pool::Zeroable;

#[derive(Zeroable)]
union Either {
    number: u32,
    text: &'static str,
}

fn main() {
    let _ = (Either { number: 1 }, Either { text: "" });
}
