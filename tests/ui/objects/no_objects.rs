//! `unsize!` to what is no object, or not one that the pointer may become

use std::fmt::Debug;

use typed_pool::{PoolBox, Pooled, StaticPoolObject, unsize};

trait Enemy: StaticPoolObject {}

#[derive(Pooled, Debug)]
#[pool(static)]
struct Orc(u64);

#[derive(Pooled)]
struct Elf(u64);

impl Enemy for Orc {}

fn orc() -> PoolBox<Orc> {
    PoolBox::new(Orc(7))
}

fn main() {
    // Another type with a size.
    drop(unsize!(orc() => Elf));
    // `Send` added to an object that may not have it.
    let enemy: PoolBox<dyn Enemy> = unsize!(orc() => dyn Enemy);
    drop(unsize!(enemy => dyn Enemy + Send));
    // A reference to a box.
    drop(unsize!(&orc() => dyn Enemy));
    // A trait that does not bring the way back to the pool.
    let debug = unsize!(orc() => dyn Debug);
    println!("{debug:?}");
}
