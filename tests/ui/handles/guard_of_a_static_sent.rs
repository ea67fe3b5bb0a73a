//! As `guard_sent`: of a static roster, whose lock is given back by the thread that has taken it.

use std::thread;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Monster {
    health: i32,
}

fn main() {
    let mut monsters = Monster::pool_borrow_mut();
    let _cleared = thread::spawn(move || monsters.clear()).join();
}
