//! A key made by hand
//!
//! Fix: write `#[derive(Pooled)]`. A key leads to one pool, which is declared for it alone; of another
//! thread-local or static nobody can promise that in safe code.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, FreeList, InThread, Local};

struct Bullet([f32; 4]);

std::thread_local! {
    static POOL: Local<FreeList<Bullet>> = const { Local::<FreeList<Bullet>>::new(Config::new()) };
}

const KEY: InThread<Local<FreeList<Bullet>>> = InThread::new(&POOL);

fn main() {}
