//! A guard that is sent to another thread

use std::thread;

use typed_pool::Pooled;

#[derive(Pooled)]
#[pool(strategy = roster)]
struct Monster {
    health: i32,
}

// Its lock is given back by the thread that has taken it.
#[derive(Pooled)]
#[pool(static, strategy = roster)]
struct Texture(u64);

fn main() {
    let monsters = Monster::pool_borrow();
    let _count = thread::spawn(move || monsters.len()).join();
    let mut textures = Texture::pool_borrow_mut();
    let _cleared = thread::spawn(move || textures.clear()).join();
}
