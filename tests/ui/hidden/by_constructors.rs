//! Keys, rosters, static pools and coercions made by hand

#![forbid(unsafe_code)]

use std::marker::PhantomData;
use typed_pool::__private::{
    BorrowState, Config, FreeList, InFreeList, InThread, LocalKey, LocalPool, SharedDepot,
    SharedRecord, SharedRoster, StaticPool, ThreadMagazine, coerced,
};
use typed_pool::{PoolBox, PoolObject, Pooled};

struct Bullet([f32; 4]);

std::thread_local! {
    static POOL: LocalPool<Bullet, InFreeList> = const { LocalPool::<Bullet, InFreeList>::new(Config::new()) };
    static STATE: BorrowState = const { BorrowState::UNUSED };
}

static RECORD: SharedRecord = SharedRecord::NEW;

const KEY: InThread<LocalPool<Bullet, InFreeList>> = InThread::new(&POOL, &raw const RECORD);

// Two static rosters with one borrow state.
static FIRST: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);
static SECOND: SharedRoster<u64> = SharedRoster::new(Config::new(), &STATE);

type Static = StaticPool<FreeList<Bullet>>;

static DEPOT: SharedDepot = Static::new_depot(Config::new());

// A static pool of the parts of others.
fn pool(magazine: &'static LocalKey<ThreadMagazine>) -> Static {
    Static::new(magazine, &raw const DEPOT)
}

#[derive(Pooled)]
struct Orc(u64);

#[derive(Pooled)]
struct Elf(u64);

trait Enemy: PoolObject {}

impl Enemy for Elf {}

// Another object in the place of the element.
fn main() {
    let orc = PoolBox::new(Orc(7));
    let (orc, elf, unsize) = coerced(PhantomData::<dyn Enemy>, orc, |orc| -> *mut dyn Enemy { orc.cast::<Elf>() });
    let _: PoolBox<dyn Enemy> = unsize(orc, elf);
}
