//! Traits implemented by hand: room for counts, the bound that no pool meets, a way back, and a pool behind the key of another

#![deny(unsafe_op_in_unsafe_fn)]

use std::cell::Cell;
use std::ptr::NonNull;

use typed_pool::__private::{__thread_local, InThread, LocalRoster};
use typed_pool::checks::SharedPool;
use typed_pool::rc::{Plain, RefCountedBy};
use typed_pool::{Exhausted, FreeList, Pool, PoolObject, PoolRc, Pooled, RosterHandles, StaticPoolObject};

#[derive(Pooled)]
struct Squad([f32; 4]);

impl RefCountedBy<Plain> for Squad {}

struct Counter(Cell<u64>);

impl SharedPool<Counter> for () {}

fn shared<T: Sync>() {}

struct Elf(u64);

impl PoolObject for Elf {}

impl StaticPoolObject for Elf {}

struct Bullet(u64);

type Key = InThread<LocalRoster<Bullet>>;

impl Pooled<RosterHandles> for Bullet {
    type __Storage = Key;
    const __POOL: Key = __thread_local!(LocalRoster<Bullet>, LocalRoster::<Bullet>::EMPTY);
}

impl Pool<Bullet> for Key {
    fn acquire(&self) -> Option<NonNull<Bullet>> {
        Some(NonNull::dangling())
    }

    fn verify(&self, _: NonNull<Bullet>) {}

    unsafe fn release(&self, _: NonNull<Bullet>) {}

    fn exhausted(&self) -> Exhausted {
        unreachable!()
    }
}

fn main() {
    drop(PoolRc::new(Squad([0.0; 4])));
    shared::<FreeList<Counter>>();
}
