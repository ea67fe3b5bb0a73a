//! Sent to another thread: what belongs to its own

use std::cell::Cell;
use std::rc::Rc;
use std::thread;

use typed_pool::{FreeList, PoolArc, PoolBoxIn, PoolRc, Pooled, Roster, any};

#[derive(Pooled)]
struct Bullet([f32; 4]);

#[derive(Pooled)]
#[pool(rc)]
struct Texture([u32; 16]);

#[derive(Pooled)]
#[pool(static, rc)]
struct Counter(Cell<u64>);

struct Sprite(Rc<str>);

// A box by layout.
fn any_box() {
    let job = any::Box::new([1, 2, 3]);
    thread::spawn(move || drop(job));
}

// A shared pointer by layout.
fn any_rc() {
    let shared = any::Rc::new(7);
    thread::spawn(move || println!("{shared}"));
}

// A box of an owned pool.
fn free_list_box() {
    let pool = FreeList::new();
    let bullet = pool.alloc([0.0_f32; 4]);
    thread::scope(|scope| {
        scope.spawn(move || drop(bullet));
    });
}

// A box that keeps its pool alive.
fn kept_box() {
    let pool = Rc::new(FreeList::new());
    let bullet = PoolBoxIn::new_in([0.0_f32; 4], pool);
    thread::spawn(move || drop(bullet));
}

// A reserved slot.
fn vacant() {
    let slot = Bullet::pool_vacant();
    thread::spawn(move || drop(slot));
}

// A `PoolRc`.
fn rc() {
    let grass = PoolRc::new(Texture([7; 16]));
    thread::spawn(move || grass.0[0]);
}

// A `PoolArc` of an element that is not `Sync`.
fn arc_of_what_is_not_sync() {
    let counter = PoolArc::new(Counter(Cell::new(0)));
    thread::spawn(move || counter.0.set(1));
}

// A roster with elements that must stay on their thread.
fn roster() {
    let bullets = Roster::<Sprite>::new();
    thread::spawn(move || drop(bullets));
}

// One of its iterators.
fn roster_iterator() {
    let bullets = Roster::<Cell<u32>>::new();
    let hits = bullets.values();
    thread::scope(|scope| {
        scope.spawn(move || println!("{}", hits.len()));
    });
}

fn main() {}
