//! typed-pool: the pools by layout, which take elements of any type.

use core::ptr::NonNull;
use std::alloc::Layout;

use typed_pool::{ByLayout, PoolBoxIn, SharedByLayout, Vacant};

use crate::contestant::{Contestant, Owning};

macro_rules! by_layout {
    ($($(#[$attribute:meta])* $contestant:ident: $marker:ident = $name:expr;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $contestant;

        impl<T: 'static> Contestant<T> for $contestant {
            const NAME: &'static str = $name;
            const RESERVES: bool = true;
            type Object = PoolBoxIn<T, $marker>;

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

            by_deref!(T);
        }

        impl<T> Owning for PoolBoxIn<T, $marker> {
            #[inline(always)]
            fn into_raw(self) -> NonNull<T> {
                // SAFETY: a box never lies at the null address.
                unsafe { NonNull::new_unchecked(Self::into_raw(self)) }
            }

            #[inline(always)]
            unsafe fn from_raw(value: NonNull<T>) -> Self {
                // SAFETY: the caller's promise is the one that `PoolBox` asks for.
                unsafe { Self::from_raw_in(value.as_ptr(), $marker) }
            }
        }
    )*};
}

by_layout! {
    /// The pools of `any::Box`.
    AnyBox: ByLayout = "typed-pool, any::Box";
    /// Boxes that leave their thread.
    AnyShared: SharedByLayout = "typed-pool, SharedByLayout";
}
