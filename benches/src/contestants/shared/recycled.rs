//! Pools that keep objects, lend them out and get them back as they were left: object-pool,
//! lockfree-object-pool and opool. To allocate is to write a new value over the old.

use core::fmt;

use lockfree_object_pool::{LinearObjectPool, LinearReusable};
use opool::{PoolAllocator, RefGuard};

use crate::contestant::Contestant;
use crate::objects::{Payload, SHARED_CAPACITY};

macro_rules! recycled {
    ($(
        $(#[$attribute:meta])*
        $contestant:ident($pool:ty) = $name:literal {
            type Object = $object:ty;
            enter: $enter:expr,
            alloc: |$lender:ident, $make:ident| $alloc:expr,
        }
    )*) => {$(
        $(#[$attribute])*
        pub struct $contestant<T: Payload>(&'static $pool);

        impl<T: Payload> Clone for $contestant<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: Payload> Copy for $contestant<T> {}

        impl<T: Payload> fmt::Debug for $contestant<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($name)
            }
        }

        impl<T: Payload> Contestant<T> for $contestant<T> {
            const NAME: &'static str = $name;
            type Object = $object;

            fn enter() -> Self {
                Self(Box::leak(Box::new($enter)))
            }

            #[inline(always)]
            fn alloc(self, $make: impl FnOnce() -> T) -> Self::Object {
                let $lender = self.0;
                $alloc
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

/// Makes the objects that are lent out first.
#[derive(Clone, Copy, Debug)]
pub struct Maker;

impl<T: Payload> PoolAllocator<T> for Maker {
    #[inline(always)]
    fn allocate(&self) -> T {
        T::written(0)
    }
}

recycled! {
    /// object-pool: a `Vec` behind a lock. The guard holds the value itself.
    Stack(object_pool::Pool<T>) = "object-pool" {
        type Object = object_pool::Reusable<'static, T>;
        enter: object_pool::Pool::from_vec(Vec::new()),
        alloc: |pool, make| match pool.try_pull() {
            Some(mut object) => {
                *object = make();
                object
            }
            None => object_pool::Reusable::new(pool, make()),
        },
    }

    /// lockfree-object-pool: pages of 32 with a word of free bits, in a list. The guard points into one.
    LockFree(LinearObjectPool<T>) = "lockfree-object-pool" {
        type Object = LinearReusable<'static, T>;
        enter: LinearObjectPool::new(|| T::written(0), |_| {}),
        alloc: |pool, make| {
            let mut object = pool.pull();
            *object = make();
            object
        },
    }

    /// opool: a queue of objects. The guard holds the value itself.
    Queue(opool::Pool<Maker, T>) = "opool" {
        type Object = RefGuard<'static, Maker, T>;
        enter: opool::Pool::new(SHARED_CAPACITY, Maker),
        alloc: |pool, make| {
            let mut object = pool.get();
            *object = make();
            object
        },
    }
}
