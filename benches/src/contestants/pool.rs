//! typed-pool: the derived pools of types, and a pool that is a plain value.

use core::ptr::NonNull;

use typed_pool::{PoolBox, Pooled};

use crate::contestant::{Contestant, Owning};
use crate::race::OURS;

macro_rules! derived {
    ($($(#[$attribute:meta])* $contestant:ident = $name:expr;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $contestant;

        impl<T: Pooled> Contestant<T> for $contestant {
            const NAME: &'static str = $name;
            const RESERVES: bool = true;
            type Object = PoolBox<T>;

            fn enter() -> Self {
                Self
            }

            fn reserve(self, count: usize) {
                T::pool_reserve(count);
            }

            fn prefault(self) {
                T::pool_prefault();
            }

            fn trim(self) {
                T::pool_trim();
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> T) -> PoolBox<T> {
                T::pool_alloc_with(make)
            }

            by_deref!(T);
        }
    )*};
}

derived! {
    /// The pool that `#[derive(Pooled)]` gave the type.
    Derived = OURS;
    /// The same where that is `#[pool(static, strategy = free_list)]`.
    DerivedList = "typed-pool, free_list";
    /// The same where that is `#[pool(static, capacity = N)]`, which hides nothing in a thread.
    DerivedFixed = "typed-pool, capacity";
}

impl<T: Pooled> Owning for PoolBox<T> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        // SAFETY: a box never lies at the null address.
        unsafe { NonNull::new_unchecked(Self::into_raw(self)) }
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        // SAFETY: the caller's promise is the one that `PoolBox` asks for.
        unsafe { Self::from_raw(value.as_ptr()) }
    }
}
