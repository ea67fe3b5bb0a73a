//! A static pool put together from the parts of others

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, FreeList, InThread, SharedDepot, StaticPool, ThreadMagazine};

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static DEPOT: SharedDepot = Pool::new_depot(Config::new());

fn pool(magazine: InThread<ThreadMagazine>) -> Pool {
    StaticPool { magazine, depot: &raw const DEPOT, marker: std::marker::PhantomData }
}

fn main() {}
