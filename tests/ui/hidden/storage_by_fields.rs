//! A static pool put together from the parts of others
//!
//! Fix: write `#[pool(static)]`. A pool's magazines and its depots know each other's slots, so they are declared
//! together.

#![forbid(unsafe_code)]

use typed_pool::__private::{Companion, Config, Depot, FreeList, Magazine, StaticPool};

struct Bullet([f32; 4]);

static ADDRESSES: Companion = Companion::NEW;
std::thread_local! {
    static MAGAZINES: Magazine<FreeList<Bullet>> = const { Magazine::<FreeList<Bullet>>::EMPTY };
}
static FIRST: Depot<FreeList<Bullet>> = Depot::<FreeList<Bullet>>::new(Config::new());
static SECOND: Depot<FreeList<Bullet>> = Depot::<FreeList<Bullet>>::new(Config::new());

static POOL: StaticPool<FreeList<Bullet>> = StaticPool {
    magazine: &MAGAZINES,
    companion: &ADDRESSES,
    depot: &FIRST,
};
static OTHER: StaticPool<FreeList<Bullet>> = StaticPool {
    magazine: &MAGAZINES,
    companion: &ADDRESSES,
    depot: &SECOND,
};

fn main() {}
