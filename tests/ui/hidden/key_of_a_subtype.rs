//! As `key_of_another_type`: of a mere supertype.

#![forbid(unsafe_code)]

use typed_pool::Pooled;
use typed_pool::__private::{InFreeList, InThread, LocalPool};

struct Call<F>(F, u64);

type Any = Call<for<'a> fn(&'a u8)>;
type Lasting = Call<fn(&'static u8)>;

impl Pooled for Any {
    type __Storage = InThread<LocalPool<Self, InFreeList>>;
    const __POOL: Self::__Storage = typed_pool::__private::__thread_local!(
        LocalPool<Any, InFreeList>,
        LocalPool::<Any, InFreeList>::EMPTY
    );
}

impl Pooled for Lasting {
    type __Storage = InThread<LocalPool<Self, InFreeList>>;
    const __POOL: Self::__Storage = Any::__POOL;
}

fn main() {}
