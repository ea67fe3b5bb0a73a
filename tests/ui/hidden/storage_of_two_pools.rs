//! As `storage_by_fields`: by its constructor.

#![forbid(unsafe_code)]

use typed_pool::__private::{Config, Depots, FreeList, Magazines, Static};

struct Bullet([f32; 4]);

std::thread_local! {
    static MAGAZINES: Magazines<FreeList<Bullet>> = const { Magazines::<FreeList<Bullet>>::EMPTY };
}
static DEPOTS: Depots<FreeList<Bullet>> = Depots::<FreeList<Bullet>>::new(Config::new());

static POOL: Static<FreeList<Bullet>> = Static::new(&MAGAZINES, &DEPOTS);

fn main() {}
