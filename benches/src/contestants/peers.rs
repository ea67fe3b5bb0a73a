//! Pools and arenas of other crates. Each is leaked, so that a contestant is a reference to one.

use core::cell::UnsafeCell;
use core::mem::{self, transmute_copy};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use plurality::{Box as PluralBox, MultiPool, coerce};
use shared_arena::{Pool, PoolBox};
use slab::Slab;

use crate::contestant::{Contestant, Dynamic, Owning};
use crate::workloads::shapes::{Kind, Shape};

/// plurality's pool for any type.
#[derive(Clone, Copy)]
pub struct Multi(&'static MultiPool);

impl<T: 'static> Contestant<T> for Multi {
    const NAME: &'static str = "plurality MultiPool";
    type Object = PluralBox<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(MultiPool::new())))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> PluralBox<T> {
        self.0.alloc_box_with(make)
    }

    by_deref!(T);
}

impl<T: Unpin> Owning for PluralBox<T> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        Self::into_raw(self)
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        // SAFETY: the caller's promise is the one that the crate asks for.
        unsafe { Self::from_raw(value) }
    }
}

impl Dynamic for Multi {
    const NAME: &'static str = <Self as Contestant<u64>>::NAME;
    type Object = PluralBox<dyn Shape>;

    fn enter() -> Self {
        <Self as Contestant<u64>>::enter()
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> PluralBox<dyn Shape> {
        PluralBox::unsize(self.0.alloc_box_with(value), coerce!(dyn Shape))
    }
}

/// A pool of one type behind a reference.
macro_rules! reference {
    ($(#[$attribute:meta])* $name:ident($Pool:ty)) => {
        $(#[$attribute])*
        pub struct $name<T: 'static>(&'static $Pool);

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}
    };
}

reference! {
    /// shared_arena: pages of 63 slots and a word of free bits. Its boxes stay on their thread: nothing is atomic.
    SharedPool(Pool<T>)
}

impl<T: 'static> Contestant<T> for SharedPool<T> {
    const NAME: &'static str = "shared_arena Pool";
    type Object = PoolBox<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(Pool::new())))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> PoolBox<T> {
        self.0.alloc(make())
    }

    by_deref!(T);
}

impl<T> Owning for PoolBox<T> {
    #[inline(always)]
    fn into_raw(mut self) -> NonNull<T> {
        let value = NonNull::from(&mut *self);
        mem::forget(self);
        value
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        const { assert!(size_of::<Self>() == size_of::<NonNull<T>>()) };
        // SAFETY: the crate has no `from_raw`. Its box is one pointer to a `repr(C)` block whose first field is the value, so the
        // value's address is the box.
        unsafe { transmute_copy(&value) }
    }
}

reference! {
    /// slab: keys into a `Vec`, so objects move when it grows. Without the borrow flag that sharing it safely would cost.
    Slabs(UnsafeCell<Slab<T>>)
}

impl<T: 'static> Contestant<T> for Slabs<T> {
    const NAME: &'static str = "slab (keys)";
    type Object = usize;

    fn enter() -> Self {
        Self(Box::leak(Box::new(UnsafeCell::new(Slab::new()))))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> usize {
        // SAFETY: one thread, and the reference ends here; the workloads' `make` allocates nothing.
        unsafe { &mut *self.0.get() }.insert(make())
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

/// bumpalo, which the workload resets whenever nothing in it is in use. It runs no destructor.
#[derive(Clone, Copy)]
pub struct Bump(&'static UnsafeCell<bumpalo::Bump>);

impl<T: 'static> Contestant<T> for Bump {
    const NAME: &'static str = "bumpalo (frees nothing)";
    type Object = BumpBox<T>;

    fn enter() -> Self {
        Self(Box::leak(Box::default()))
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> BumpBox<T> {
        // SAFETY: one thread, and the arena is not reset during an allocation.
        let bump = unsafe { &*self.0.get() };
        BumpBox(NonNull::from(bump.alloc_with(make)))
    }

    #[inline(always)]
    fn address(self, object: &BumpBox<T>) -> *const T {
        object.0.as_ptr()
    }

    #[inline(always)]
    fn free(self, _: BumpBox<T>) {}

    #[inline(always)]
    unsafe fn reset(self) {
        // SAFETY: one thread, and the caller promises that no object is used again.
        unsafe { &mut *self.0.get() }.reset();
    }
}

/// A value in the arena, which stays there when the box goes.
pub struct BumpBox<T>(NonNull<T>);

impl<T> Deref for BumpBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value was written at once, and `reset` promises that no box is used after.
        unsafe { self.0.as_ref() }
    }
}

impl<T> DerefMut for BumpBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and there is one box to a value.
        unsafe { self.0.as_mut() }
    }
}

impl<T> Owning for BumpBox<T> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        self.0
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        Self(value)
    }
}
