//! As `storage_by_fields`: by its constructor.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, DepotOf, FreeList, LocalKey, MagazineOf, StaticPool};

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static DEPOT: DepotOf<FreeList<Bullet>> = Pool::new_depot(Config::new());

fn pool(magazine: &'static LocalKey<MagazineOf<FreeList<Bullet>>>) -> Pool {
    Pool::new(magazine, &raw const DEPOT)
}

fn main() {}
