//! A slot of a number that there is not
//!
//! Fix: write `#[derive(Pooled)]`, and ask the pool.

#![forbid(unsafe_code)]

use typed_pool::__private::{Arrangement, Within};

fn main() {
    let slots = <Within<u64, 4> as Arrangement>::VACANT;
    println!("{:?}", slots.slot(1_000_000));
}
