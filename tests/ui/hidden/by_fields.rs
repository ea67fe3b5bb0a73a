//! A key, and a static pool, put together from fields

#![forbid(unsafe_code)]

use std::marker::PhantomData;
use typed_pool::__private::{
    Config, Fixed, FreeList, InStatic, LocalKey, SharedDepot, StaticPool, ThreadMagazine,
};

static POOL: Fixed<u64, 4> = Fixed::EMPTY;

const KEY: InStatic<Fixed<u64, 4>> = InStatic { place: &raw const POOL, marker: PhantomData };

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static DEPOT: SharedDepot = Pool::new_depot(Config::new());

fn pool(local: &'static LocalKey<ThreadMagazine>) -> Pool {
    StaticPool { local, shared: &raw const DEPOT, marker: PhantomData }
}

fn main() {}
