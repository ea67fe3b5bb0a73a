//! Another storage with each call

#![forbid(unsafe_code)]

use std::cell::Cell;
use typed_pool::Pooled;
use typed_pool::__private::{InFreeList, InThread, LocalPool};

struct Bullet([f32; 4]);

std::thread_local! {
    static CALLS: Cell<bool> = const { Cell::new(false) };
}

impl Pooled for Bullet {
    type __Storage = InThread<LocalPool<Self, InFreeList>>;
    const __POOL: Self::__Storage = match CALLS.replace(true) {
        false => typed_pool::__private::__thread_local!(
            LocalPool<Bullet, InFreeList>,
            LocalPool::<Bullet, InFreeList>::EMPTY
        ),
        true => typed_pool::__private::__thread_local!(
            LocalPool<Bullet, InFreeList>,
            LocalPool::<Bullet, InFreeList>::EMPTY
        ),
    };
}

fn main() {}
