//! A key made by hand
//!
//! Fix: write `#[derive(Pooled)]`. A key leads to one pool, which is declared for it alone; of another
//! thread-local or static nobody can promise that in safe code.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, FreeList, InThread, LocalPool, SharedRecord};

struct Bullet([f32; 4]);

std::thread_local! {
    static POOL: LocalPool<FreeList<Bullet>> = const { LocalPool::<FreeList<Bullet>>::new(Config::new()) };
}

static RECORD: SharedRecord = SharedRecord::NEW;

const KEY: InThread<LocalPool<FreeList<Bullet>>> = InThread::new(&POOL, &raw const RECORD);

fn main() {}
