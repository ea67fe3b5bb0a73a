//! A key made by hand

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, FreeList, InThread, LocalPool, SharedRecord};

struct Bullet([f32; 4]);

std::thread_local! {
    static POOL: LocalPool<FreeList<Bullet>> = const { LocalPool::<FreeList<Bullet>>::new(Config::new()) };
}

static RECORD: SharedRecord = SharedRecord::NEW;

const KEY: InThread<LocalPool<FreeList<Bullet>>> = InThread::new(&POOL, &raw const RECORD);

fn main() {}
