//! typed-pool's static pools beside the default.

use typed_pool::{PoolBox, Pooled};

use crate::contestant::Contestant;

macro_rules! derived {
    ($($(#[$attribute:meta])* $contestant:ident = $name:literal;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub struct $contestant;

        impl<T: Pooled> Contestant<T> for $contestant {
            const NAME: &'static str = $name;
            type Object = PoolBox<T>;

            fn enter() -> Self {
                Self
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> T) -> PoolBox<T> {
                T::pool_alloc_with(make)
            }

            #[inline(always)]
            fn address(self, object: &PoolBox<T>) -> *const T {
                &raw const **object
            }

            #[inline(always)]
            fn free(self, object: PoolBox<T>) {
                drop(object);
            }
        }
    )*};
}

derived! {
    /// `#[pool(static, strategy = free_list)]`.
    DerivedList = "typed-pool, free_list";
    /// `#[pool(static, capacity = N)]`, which hides nothing in a thread.
    DerivedFixed = "typed-pool, capacity";
}
