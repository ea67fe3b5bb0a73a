//! A roster shared between threads, with elements that must not be
//!
//! Fix: use an atomic, `AtomicU32` for `Cell<u32>`; or put the roster in a `Mutex`.

use std::cell::Cell;

use typed_pool::Roster;

struct Bullet {
    hits: Cell<u32>,
}

fn main() {
    let bullets = Roster::<Bullet>::new();
    std::thread::scope(|scope| {
        scope.spawn(|| println!("{}", bullets.len()));
    });
}
