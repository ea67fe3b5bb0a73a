//! As `roster_shared_between_threads`: when one of its iterators is sent.

use std::cell::Cell;

use typed_pool::Roster;

fn main() {
    let bullets = Roster::<Cell<u32>>::new();
    let hits = bullets.values();
    std::thread::scope(|scope| {
        scope.spawn(move || println!("{}", hits.len()));
    });
}
