//! As `storage_by_fields`: by its constructor.

#![forbid(unsafe_code)]

use typed_pool::__private::{Companion, Config, DepotOf, FreeList, LocalKey, MagazineOf, StaticPool};

struct Bullet([f32; 4]);

type Pool = StaticPool<FreeList<Bullet>>;

static COMPANION: Companion = Companion::NEW;
static DEPOT: DepotOf<Pool> = Pool::depot(Config::new());

fn pool(magazine: &'static LocalKey<MagazineOf<Pool>>) -> Pool {
    Pool::new(magazine, &raw const COMPANION, &DEPOT)
}

fn main() {}
