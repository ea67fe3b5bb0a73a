//! A pool of one's own, behind the key of another

#![deny(unsafe_op_in_unsafe_fn)]

use std::ptr::NonNull;

use typed_pool::__private::{__thread_local, InThread, LocalRoster};
use typed_pool::{Exhausted, Pool, Pooled, RosterHandles};

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

fn main() {}
