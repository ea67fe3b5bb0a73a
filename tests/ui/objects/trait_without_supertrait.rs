//! An object of a trait that does not bring the way back to the pool

use std::fmt::Debug;

use typed_pool::{PoolBox, Pooled, unsize};

#[derive(Pooled, Debug)]
struct Orc(u64);

fn main() {
    let orc = unsize!(PoolBox::new(Orc(7)) => dyn Debug);
    println!("{orc:?}");
}
