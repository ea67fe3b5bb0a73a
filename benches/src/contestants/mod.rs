//! Everyone in the race, a file each.

/// The address and the drop of objects that dereference to their value and free themselves.
macro_rules! by_deref {
    ($T:ty) => {
        #[inline(always)]
        fn address(self, object: &Self::Object) -> *const $T {
            &raw const **object
        }

        #[inline(always)]
        fn free(self, object: Self::Object) {
            drop(object);
        }
    };
}

/// A box of a transparent wrapper as one of what is wrapped.
macro_rules! unwrapped {
    ([$($generics:tt)*] $Object:ty, $T:ty, $object:ident => $value:expr) => {
        impl $($generics)* core::ops::Deref for $Object {
            type Target = $T;

            #[inline(always)]
            fn deref(&self) -> &$T {
                let $object = self;
                &$value
            }
        }

        impl $($generics)* core::ops::DerefMut for $Object {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $T {
                let $object = self;
                &mut $value
            }
        }

        impl $($generics)* Owning for $Object {
            #[inline(always)]
            fn into_raw(self) -> NonNull<$T> {
                // SAFETY: a box never lies at the null address; the wrapper is transparent.
                unsafe { NonNull::new_unchecked(PoolBox::into_raw(self.0).cast()) }
            }

            #[inline(always)]
            unsafe fn from_raw(value: NonNull<$T>) -> Self {
                // SAFETY: the caller's promise is the one that `PoolBox` asks for.
                Self(unsafe { PoolBox::from_raw(value.as_ptr().cast()) })
            }
        }
    };
}

/// Calls a visitor with each type in turn.
macro_rules! visit {
    ($visitor:ident: $($contestant:ty),* $(,)?) => { $($visitor.visit::<$contestant>();)* };
}

/// Visitors, each of a kind of contestants.
macro_rules! visitors {
    ($($Visit:ident $(<$T:ident: $Bound:path>)? [$($generics:tt)*];)*) => {$(
        /// Is called with each of them.
        pub trait $Visit$(<$T: $Bound>)? {
            /// With this one.
            fn visit<$($generics)*>(&mut self);
        }
    )*};
}

pub mod bump;
pub mod by_layout;
pub mod heap;
pub mod held;
pub mod maps;
pub mod nothing;
pub mod objects;
pub mod pool;
pub mod roll;
pub mod sessions;
pub mod shared;
pub mod slots;
pub mod stack;
pub mod statics;
pub mod stores;
pub mod tied;
pub mod values;
pub mod vectors;

pub use bump::Bump;
pub use by_layout::{AnyBox, AnyShared};
pub use heap::SystemBox;
pub use held::Held;
pub use nothing::Nothing;
pub use pool::{Derived, DerivedFixed, DerivedList};
pub use slots::{Slots, Source};
pub use stack::DerivedStack;
pub use statics::{DerivedStatic, DerivedStaticList};
pub use values::{Keys, Owned, OwnedStack, Queue, SharedArena, SharedPool, Slabs};
