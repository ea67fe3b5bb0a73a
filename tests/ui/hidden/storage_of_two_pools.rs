//! As `storage_by_fields`: by its constructor.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, FreeList, LocalKey, SharedDepot, StaticPool, ThreadMagazine};

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static DEPOT: SharedDepot = Pool::new_depot(Config::new());

fn pool(magazine: &'static LocalKey<ThreadMagazine>) -> Pool {
    Pool::new(magazine, &raw const DEPOT)
}

fn main() {}
