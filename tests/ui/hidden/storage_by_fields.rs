//! A static pool put together from the parts of others
//!
//! Fix: write `#[pool(static)]`. A pool's magazines and its depots know each other's slots, so they are declared
//! together.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, Depots, FreeList, Magazines, Static};

struct Bullet([f32; 4]);

std::thread_local! {
    static MAGAZINES: Magazines<FreeList<Bullet>> = const { Magazines::<FreeList<Bullet>>::EMPTY };
}
static FIRST: Depots<FreeList<Bullet>> = Depots::<FreeList<Bullet>>::new(Config::new());
static SECOND: Depots<FreeList<Bullet>> = Depots::<FreeList<Bullet>>::new(Config::new());

static POOL: Static<FreeList<Bullet>> = Static { magazines: &MAGAZINES, depots: &FIRST };
static OTHER: Static<FreeList<Bullet>> = Static { magazines: &MAGAZINES, depots: &SECOND };

fn main() {}
