//! A slot whose number does not exist
//!
//! Fix: write `#[derive(Pooled)]`, and ask the pool.

#![forbid(unsafe_code)]

use typed_pool::__private::{SlotLayout, LinksInline};

fn main() {
    let slots = <LinksInline<u64, 4> as SlotLayout>::VACANT;
    println!("{:?}", slots.slot(1_000_000));
}
