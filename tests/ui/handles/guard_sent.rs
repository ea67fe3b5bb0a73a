//! A guard that is sent to another thread

use std::thread;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let monsters = Monster::pool_borrow();
    let _count = thread::spawn(move || monsters.len()).join();
}
