//! A pool of a zero-sized type, past the derive's checks
//!
//! Fix: use the value itself; it takes no memory.

#![forbid(unsafe_code)]

use typed_pool::__private::{
    __static_pool, __static_slots, __thread_local, Config, FixedStack, InStatic, InThread, LocalPool, PointerStack, StaticPool,
};
use typed_pool::Pooled;

struct InEachThread;

impl Pooled for InEachThread {
    type __Storage = InThread<LocalPool<PointerStack<Self>>>;
    const __POOL: Self::__Storage = __thread_local!(
        LocalPool<PointerStack<InEachThread>>,
        LocalPool::<PointerStack<InEachThread>>::EMPTY
    );
}

struct ForAll;

impl Pooled for ForAll {
    type __Storage = InStatic<StaticPool<PointerStack<Self>>>;
    const __POOL: Self::__Storage = __static_pool!(PointerStack<ForAll>, Config::new());
}

struct InBss;

impl Pooled for InBss {
    type __Storage = InStatic<FixedStack<Self, 4>>;
    const __POOL: Self::__Storage = __static_slots!(FixedStack<InBss, 4>);
}

fn main() {
    InEachThread::pool_stats();
    ForAll::pool_stats();
    InBss::pool_stats();
}
