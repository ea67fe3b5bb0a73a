//! A static pool put together from the parts of others
//!
//! Fix: write `#[pool(static)]`. A pool's magazines and its depots know each other's slots, so they are declared
//! together.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, DepotOf, FreeList, InThread, MagazineOf, StaticPool};

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static DEPOT: DepotOf<FreeList<Bullet>> = Pool::new_depot(Config::new());

fn pool(magazine: InThread<MagazineOf<FreeList<Bullet>>>) -> Pool {
    StaticPool { magazine, depot: &raw const DEPOT, marker: std::marker::PhantomData }
}

fn main() {}
