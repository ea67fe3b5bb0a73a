//! Pools that are plain values. Each is leaked, so that a contestant is a reference to one.

use core::cell::UnsafeCell;
use core::mem::{self, transmute_copy};
use core::ptr::NonNull;

use opool::{PoolAllocator, RefGuard};
use shared_arena::{Arena, ArenaBox, Pool, PoolBox};
use slab::Slab;
use typed_pool::{FreeList, PointerStack, PoolBoxIn};

use crate::contestant::{Contestant, Owning};
use crate::objects::{Payload, SHARED_CAPACITY};

/// A contestant and its pool, its name, its objects, how a pool and an object are made; then the rest of the trait.
macro_rules! values {
    ($(
        $(#[$attribute:meta])*
        $name:ident<T: $bound:path>($Pool:ty) = $called:literal, $Object:ty, $new:expr, |$pool:ident, $make:ident| $alloc:expr,
        { $($rest:tt)* }
    )*) => {$(
        $(#[$attribute])*
        pub struct $name<T: $bound + 'static>(&'static $Pool);

        impl<T: $bound + 'static> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: $bound + 'static> Copy for $name<T> {}

        impl<T: $bound + 'static> Contestant<T> for $name<T> {
            const NAME: &'static str = $called;
            type Object = $Object;

            fn enter() -> Self {
                Self(Box::leak(Box::new($new)))
            }

            #[inline(always)]
            fn alloc(self, $make: impl FnOnce() -> T) -> $Object {
                let $pool = self.0;
                $alloc
            }

            $($rest)*
        }
    )*};
}

/// The room that a pool of ours, as a value, makes and gives back.
macro_rules! ours {
    () => {
        const RESERVES: bool = true;

        fn reserve(self, count: usize) {
            self.0.reserve(count);
        }

        fn prefault(self) {
            self.0.prefault();
        }

        fn trim(self) {
            self.0.trim();
        }
    };
}

values! {
    /// A `FreeList` as a value; its boxes borrow it.
    Owned<T: Sized>(FreeList<T>) = "typed-pool, owned", PoolBoxIn<T, &'static FreeList<T>>, FreeList::new(),
    |pool, make| pool.alloc_with(make), { ours!(); by_deref!(T); }

    /// A `PointerStack` as a value; its boxes borrow it.
    OwnedStack<T: Sized>(PointerStack<T>) = "typed-pool, owned pointer stack", PoolBoxIn<T, &'static PointerStack<T>>,
    PointerStack::new(), |pool, make| pool.alloc_with(make), { ours!(); by_deref!(T); }

    /// shared_arena: pages of 63 slots and a word of free bits. Its boxes stay on their thread: nothing is atomic.
    SharedPool<T: Sized>(Pool<T>) = "shared_arena Pool", PoolBox<T>, Pool::new(), |pool, make| pool.alloc(make()),
    { by_deref!(T); }

    /// The same with boxes that may be freed elsewhere.
    SharedArena<T: Sized>(Arena<T>) = "shared_arena Arena", ArenaBox<T>, Arena::new(), |pool, make| pool.alloc(make()),
    { by_deref!(T); }

    /// opool: a queue of objects, which are lent out and come back as they were left. To allocate is to write over the last value.
    Queue<T: Payload>(opool::Pool<Maker, T>) = "opool", RefGuard<'static, Maker, T>, opool::Pool::new(SHARED_CAPACITY, Maker),
    |pool, make| {
        let mut object = pool.get();
        *object = make();
        object
    },
    { by_deref!(T); }

    /// slab: keys into a `Vec`, so objects move when it grows. Without the borrow flag that sharing it safely would cost.
    Slabs<T: Sized>(UnsafeCell<Slab<T>>) = "slab (keys)", usize, UnsafeCell::new(Slab::new()),
    |slab, make| {
        // SAFETY: one thread, and the reference ends here; the workloads' `make` allocates nothing.
        let slab = unsafe { &mut *slab.get() };
        slab.insert(make())
    },
    {
        const RESERVES: bool = true;

        fn reserve(self, count: usize) {
            // SAFETY: one thread, and the reference ends here.
            unsafe { &mut *self.0.get() }.reserve(count);
        }

        fn trim(self) {
            // SAFETY: one thread, and the reference ends here.
            unsafe { &mut *self.0.get() }.shrink_to_fit();
        }

        #[inline(always)]
        fn address(self, &key: &usize) -> *const T {
            // SAFETY: one thread, and the reference ends here.
            let slab = unsafe { &*self.0.get() };
            // SAFETY: a key is an `Object` from its insertion to its removal.
            unsafe { slab.get_unchecked(key) }
        }

        #[inline(always)]
        fn free(self, key: usize) {
            // SAFETY: one thread, and the reference ends here, before the value is dropped.
            let value = unsafe { &mut *self.0.get() }.remove(key);
            drop(value);
        }
    }

    /// sharded-slab: keys, and a shard for each thread.
    Keys<T: SendSync>(sharded_slab::Slab<T>) = "sharded-slab", usize, sharded_slab::Slab::new(),
    |slab, make| slab.insert(make()).expect("room for as many as there are keys"),
    {
        #[inline(always)]
        fn address(self, &key: &usize) -> *const T {
            // A value stays where it is, with or without the guard.
            &raw const *self.0.get(key).expect("a key is an `Object` until it is freed")
        }

        #[inline(always)]
        fn free(self, key: usize) {
            self.0.remove(key);
        }
    }
}

/// Both, as one bound.
pub trait SendSync: Send + Sync {}

impl<T: Send + Sync> SendSync for T {}

/// Makes the objects that are lent out first.
#[derive(Clone, Copy)]
pub struct Maker;

impl<T: Payload> PoolAllocator<T> for Maker {
    #[inline(always)]
    fn allocate(&self) -> T {
        T::written(0)
    }
}

macro_rules! boxes_of_arenas {
    ($($Object:ident)*) => {$(
        impl<T> Owning for $Object<T> {
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

boxes_of_arenas! { PoolBox ArenaBox }
