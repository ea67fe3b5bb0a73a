//! Objects of types whose pools are thread-local, values, or none

use std::fmt::Display;
use std::thread;

use typed_pool::any::BoxFnOnce;
use typed_pool::{FreeList, PoolBox, PoolObject, Pooled, StaticPoolObject, unsize};

trait Shape: PoolObject {}

struct Square(f64);

// It has no pool of its own.
impl Shape for Square {}

trait Enemy: PoolObject + Send {}

trait StaticEnemy: StaticPoolObject {}

#[derive(Pooled)]
struct Orc(u64);

impl Enemy for Orc {}

// Such objects may leave their thread, and it may not.
impl StaticEnemy for Orc {}

fn leaves_its_thread() {
    let enemy: PoolBox<dyn Enemy> = unsize!(PoolBox::new(Orc(7)) => dyn Enemy);
    thread::spawn(move || drop(enemy));
    let command = BoxFnOnce::<u32>::new(|score| *score += 1);
    thread::spawn(move || command.call(&mut 0));
}

fn of_an_owned_pool() {
    let pool = FreeList::new();
    let borrowed = unsize!(pool.alloc(5_u64) => dyn Display);
    let on_heap = unsize!(Box::new(5) => dyn Display);
    println!("{borrowed} {on_heap}");
}

fn main() {}
