//! typed-pool: the pools by layout, which take elements of any type.

use std::alloc::Layout;

use typed_pool::{ByLayout, PoolBox, SharedByLayout, Vacant};

use crate::contestant::Contestant;

macro_rules! by_layout {
    ($($(#[$attribute:meta])* $contestant:ident: $marker:ident = $name:expr;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        pub struct $contestant;

        impl<T: 'static> Contestant<T> for $contestant {
            const NAME: &'static str = $name;
            const RESERVES: bool = true;
            type Object = PoolBox<T, $marker>;

            fn enter() -> Self {
                Self
            }

            fn reserve(self, count: usize) {
                $marker::reserve(Layout::new::<T>(), count);
            }

            fn trim(self) {
                $marker::trim();
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> T) -> Self::Object {
                Vacant::new_in($marker).fill_with(make)
            }

            #[inline(always)]
            fn address(self, object: &Self::Object) -> *const T {
                &raw const **object
            }

            #[inline(always)]
            fn free(self, object: Self::Object) {
                drop(object);
            }
        }
    )*};
}

by_layout! {
    /// What is behind `any::Box`.
    AnyBox: ByLayout = "typed-pool, by layout";
    /// Boxes that leave their thread.
    AnyShared: SharedByLayout = "typed-pool, by layout, shared";
}
