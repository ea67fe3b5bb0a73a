//! shared_arena: pages of 63 slots and a word of free bits.

use core::fmt;
use core::mem::{self, transmute_copy};
use core::ptr::NonNull;

use shared_arena::{Arena, ArenaBox, Pool, PoolBox};

use crate::contestant::{Contestant, Owning};

macro_rules! arenas {
    ($($(#[$attribute:meta])* $contestant:ident($arena:ident, $object:ident) = $name:literal;)*) => {$(
        $(#[$attribute])*
        pub struct $contestant<T: 'static>(&'static $arena<T>);

        impl<T> Clone for $contestant<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $contestant<T> {}

        impl<T> fmt::Debug for $contestant<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }

        impl<T: 'static> Contestant<T> for $contestant<T> {
            const NAME: &'static str = $name;
            type Object = $object<T>;

            fn enter() -> Self {
                Self(Box::leak(Box::new($arena::new())))
            }

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> T) -> $object<T> {
                self.0.alloc(make())
            }

            #[inline(always)]
            fn address(self, object: &$object<T>) -> *const T {
                &raw const **object
            }

            #[inline(always)]
            fn free(self, object: $object<T>) {
                drop(object);
            }
        }

        impl<T> Owning for $object<T> {
            #[inline(always)]
            fn into_raw(mut self) -> NonNull<T> {
                let value = NonNull::from(&mut *self);
                mem::forget(self);
                value
            }

            #[inline(always)]
            unsafe fn from_raw(value: NonNull<T>) -> Self {
                const { assert!(size_of::<Self>() == size_of::<NonNull<T>>()) };
                // SAFETY: the crate has no `from_raw`. Its box is one pointer to a `repr(C)` block
                // whose first field is the value, so the value's address is the box.
                unsafe { transmute_copy(&value) }
            }
        }
    )*};
}

arenas! {
    /// The arena with boxes that stay on its thread: nothing in it is atomic.
    SharedPool(Pool, PoolBox) = "shared_arena Pool";
    /// The arena with boxes that may be freed elsewhere.
    SharedArena(Arena, ArenaBox) = "shared_arena Arena";
}
