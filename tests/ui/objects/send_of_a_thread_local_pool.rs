//! An object that leaves its thread, of types whose pools may be thread-local

use std::thread;

use typed_pool::{PoolBox, PoolObject, Pooled, unsize};

trait Enemy: PoolObject + Send {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

fn main() {
    let enemy: PoolBox<dyn Enemy> = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    thread::spawn(move || drop(enemy));
}
