//! A roster sent to another thread, with elements that must stay on theirs
//!
//! Fix: use an element that can be sent: `Arc` for `Rc`, an index or a handle for a pointer.

use std::rc::Rc;

use typed_pool::Roster;

struct Bullet {
    sprite: Rc<str>,
}

fn main() {
    let bullets = Roster::<Bullet>::new();
    std::thread::spawn(move || drop(bullets));
}
