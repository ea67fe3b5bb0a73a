//! As `storage_by_fields`: by its constructor.

#![forbid(unsafe_code)]

use typed_pool::__private::{Companion, Config, Depot, FreeList, Magazine, StaticPool};

struct Bullet([f32; 4]);

static ADDRESSES: Companion = Companion::NEW;
std::thread_local! {
    static MAGAZINES: Magazine<FreeList<Bullet>> = const { Magazine::<FreeList<Bullet>>::EMPTY };
}
static DEPOTS: Depot<FreeList<Bullet>> = Depot::<FreeList<Bullet>>::new(Config::new());

static POOL: StaticPool<FreeList<Bullet>> = StaticPool::new(&MAGAZINES, &ADDRESSES, &DEPOTS);

fn main() {}
