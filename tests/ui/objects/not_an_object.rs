//! `unsize!` to another type with a size

use typed_pool::{PoolBox, Pooled, unsize};

#[derive(Pooled)]
struct Orc(u64);

#[derive(Pooled)]
struct Elf(u64);

fn main() {
    let orc = PoolBox::new(Orc(7));
    let elf = unsize!(orc => Elf);
    drop(elf);
}
