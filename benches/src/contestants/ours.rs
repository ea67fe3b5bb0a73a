//! typed-pool: the pools of types, one kind after the other, and the pools by layout.

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::Layout;

use typed_pool::{ByLayout, PoolBox, PoolBoxIn, Pooled, SharedByLayout, Vacant, unsize};

use crate::contestant::{Contestant, Dynamic, Owning};
use crate::objects::{Obj16, Obj64, Obj256, Obj1024};
use crate::race::OURS;
use crate::workloads::binary_trees::Twig;
use crate::workloads::quadtree::Node;
use crate::workloads::shapes::{Kind, Shape};

/// The pool that `#[derive(Pooled)]` gives a type.
#[derive(Clone, Copy)]
pub struct Derived;

/// Room is made by the pool of this type.
macro_rules! by_pool {
    ($Held:ty) => {
        fn enter() -> Self {
            Self
        }

        fn reserve(self, count: usize) {
            <$Held>::pool_reserve(count);
        }

        fn prefault(self) {
            <$Held>::pool_prefault();
        }

        fn trim(self) {
            <$Held>::pool_trim();
        }
    };
}

impl<T: Pooled> Contestant<T> for Derived {
    const NAME: &'static str = OURS;
    type Object = PoolBox<T>;

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> PoolBox<T> {
        T::pool_alloc_with(make)
    }

    by_pool!(T);
    by_deref!(T);
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

impl Dynamic for Derived {
    const NAME: &'static str = OURS;
    type Object = PoolBox<dyn Shape>;

    fn enter() -> Self {
        Self
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> PoolBox<dyn Shape> {
        unsize!(T::pool_alloc_with(value) => dyn Shape)
    }
}

/// A type has one pool. A transparent wrapper around it has another, of another kind.
macro_rules! wrapped {
    ($($(#[$attribute:meta])* $Contestant:ident, $Held:ident, $HeldBox:ident = $name:literal: $options:tt;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $Contestant;

        /// The element of the wrapper's pool.
        #[derive(Pooled)]
        #[pool $options]
        #[repr(transparent)]
        pub struct $Held<T>(T);

        /// Its box, as one of what is wrapped.
        pub struct $HeldBox<T>(PoolBox<$Held<T>>)
        where
            $Held<T>: Pooled;

        impl<T: 'static> Contestant<T> for $Contestant
        where
            $Held<T>: Pooled,
        {
            const NAME: &'static str = $name;
            type Object = $HeldBox<T>;

            #[inline(always)]
            fn alloc(self, make: impl FnOnce() -> T) -> $HeldBox<T> {
                $HeldBox(PoolBox::new_with(|| $Held(make())))
            }

            by_pool!($Held<T>);
            by_deref!(T);
        }

        impl<T> Deref for $HeldBox<T>
        where
            $Held<T>: Pooled,
        {
            type Target = T;

            #[inline(always)]
            fn deref(&self) -> &T {
                &self.0.0
            }
        }

        impl<T> DerefMut for $HeldBox<T>
        where
            $Held<T>: Pooled,
        {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0.0
            }
        }

        impl<T> Owning for $HeldBox<T>
        where
            $Held<T>: Pooled,
        {
            #[inline(always)]
            fn into_raw(self) -> NonNull<T> {
                // SAFETY: a box never lies at the null address; the wrapper is transparent.
                unsafe { NonNull::new_unchecked(PoolBox::into_raw(self.0).cast()) }
            }

            #[inline(always)]
            unsafe fn from_raw(value: NonNull<T>) -> Self {
                // SAFETY: the caller's promise is the one that `PoolBox` asks for.
                Self(unsafe { PoolBox::from_raw(value.as_ptr().cast()) })
            }
        }
    )*};
}

wrapped! {
    /// A pool of the thread, as an array of free addresses.
    DerivedStack, Stacked, StackBox = "typed-pool, pointer_stack": (
        strategy = pointer_stack,
        instances(
            Stacked<Obj16>, Stacked<Obj64>, Stacked<Obj256>, Stacked<Obj1024>, Stacked<Node>, Stacked<Twig<DerivedStack>>,
        )
    );
    /// A pool of all threads.
    DerivedStatic, Shared, SharedBox = "typed-pool, static": (static, instances(Shared<Obj64>, Shared<Node>));
    /// The same with a free list.
    DerivedStaticList, SharedList, SharedListBox = "typed-pool, static free_list":
        (static, strategy = free_list, instances(SharedList<Obj64>, SharedList<Node>));
    /// The same with all its slots from the start, which hides nothing in a thread.
    DerivedFixed, Fixed, FixedBox = "typed-pool, capacity": (static, capacity = 4096, instances(Fixed<Obj64>));
    /// One that grows to a limit, and takes its lock for each operation.
    DerivedMax, Max, MaxBox = "typed-pool, max": (static, max = 4096, instances(Max<Obj64>));
}

macro_rules! by_layout {
    ($($(#[$attribute:meta])* $Contestant:ident: $marker:ident = $name:expr;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy)]
        pub struct $Contestant;

        impl<T: 'static> Contestant<T> for $Contestant {
            const NAME: &'static str = $name;
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

        impl Dynamic for $Contestant {
            const NAME: &'static str = $name;
            type Object = PoolBoxIn<dyn Shape, $marker>;

            fn enter() -> Self {
                Self
            }

            #[inline(always)]
            fn make<T: Kind>(self, value: impl FnOnce() -> T) -> Self::Object {
                unsize!(Vacant::new_in($marker).fill_with(value) => dyn Shape)
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
