//! Shared between threads: what belongs to one

use std::cell::Cell;
use std::rc::Rc;
use std::thread;

use typed_pool::{FreeList, PoolBox, PoolBoxIn, PoolRc, Pooled, Roster};

#[derive(Pooled)]
struct Bullet([f32; 4]);

#[derive(Pooled)]
#[pool(static, rc)]
struct Texture([u32; 16]);

#[derive(Pooled)]
#[pool(static, capacity = 64)]
struct Counter(Cell<u64>);

// A box.
fn boxed(bullet: PoolBox<Bullet>) {
    thread::scope(|scope| {
        scope.spawn(|| println!("{}", bullet.0[0]));
    });
}

// A box of an element that is not `Sync`.
fn box_of_what_is_not_sync(counter: PoolBox<Counter>) {
    thread::scope(|scope| {
        scope.spawn(|| counter.0.set(1));
    });
}

// A box that keeps its pool alive.
fn box_with_its_pool(boxed: PoolBoxIn<u64, Rc<FreeList<u64>>>) {
    thread::scope(|scope| {
        scope.spawn(|| println!("{boxed}"));
    });
}

// An owned pool.
fn free_list(pool: FreeList<[f32; 4]>) {
    thread::scope(|scope| {
        scope.spawn(|| drop(pool.alloc([0.0_f32; 4])));
    });
}

// A `PoolRc`.
fn rc(grass: PoolRc<Texture>) {
    thread::scope(|scope| {
        scope.spawn(|| PoolRc::clone(&grass).0[0]);
    });
}

// A roster with elements that must not be shared.
fn roster(bullets: Roster<Cell<u32>>) {
    thread::scope(|scope| {
        scope.spawn(|| println!("{}", bullets.len()));
    });
}

fn main() {}
