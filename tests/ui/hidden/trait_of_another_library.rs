//! A library of your own, whose pools say that any thread may free

#![forbid(unsafe_code)]

use typed_pool::{PoolBox, Pooled};

mod lenient {
    pub mod __private {
        pub use typed_pool::__private::*;

        // The names of a pool for all threads mean a pool for each.
        pub type PointerStack<T> = LocalPool<T, InPointerStack>;
        pub type StaticPool<P> = InThread<P>;

        macro_rules! pool {
            ($pool:ty, $config:expr) => {
                typed_pool::__private::__thread_local!($pool, <$pool>::new($config))
            };
        }
        pub(crate) use pool as __static_pool;
    }
}

#[derive(Pooled)]
#[pool(crate = lenient, static)]
struct Bullet([f32; 4]);

fn main() {
    let bullet = PoolBox::new(Bullet([0.0; 4]));
    std::thread::spawn(move || drop(bullet));
}
