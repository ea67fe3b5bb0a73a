//! Everyone who makes trait objects.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::handle_alloc_error;

use mimalloc::MiMalloc;
use plurality::{Box as PluralBox, MultiPool, coerce};
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;
use typed_pool::{ByLayout, PoolBox, PoolBoxIn, SharedByLayout, Vacant, unsize};

use super::{AnyBox, AnyShared, Derived, SystemBox};
use crate::contestant::Contestant;
use crate::race::OURS;
use crate::workloads::shapes::{Dynamic, Kind, PluralPools, Shape};

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

macro_rules! by_layout {
    ($($contestant:ident: $marker:ident;)*) => {$(
        impl Dynamic for $contestant {
            const NAME: &'static str = <Self as Contestant<u64>>::NAME;
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
    AnyBox: ByLayout;
    AnyShared: SharedByLayout;
}

impl Dynamic for SystemBox {
    const NAME: &'static str = "Box (system)";
    type Object = Box<dyn Shape>;

    fn enter() -> Self {
        Self
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> Box<dyn Shape> {
        Box::new(value())
    }
}

/// A heap that is called directly, as `Box` calls the global one.
pub struct Heap<H>(PhantomData<fn() -> H>);

impl<H> Clone for Heap<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Heap<H> {}

/// `Box<dyn Shape>` in a heap.
pub struct HeapBox<H: Named>(NonNull<dyn Shape>, PhantomData<fn() -> H>);

/// A heap as a value, with its name in tables.
pub trait Named: GlobalAlloc + 'static {
    /// The name.
    const NAME: &'static str;
    /// The heap.
    const HEAP: Self;
}

macro_rules! heaps {
    ($($heap:ident = $name:literal;)*) => {$(
        impl Named for $heap {
            const NAME: &'static str = $name;
            const HEAP: Self = Self;
        }
    )*};
}

heaps! {
    MiMalloc = "mimalloc";
    Jemalloc = "jemalloc";
    SnMalloc = "snmalloc";
    OneSlot = "limit: no allocator";
}

/// No allocator at all: what to make, to call and to drop cost by themselves.
pub struct OneSlot;

/// Room for the object that there is.
struct Slot(UnsafeCell<[u64; 3]>);

// SAFETY: one thread runs the workload.
unsafe impl Sync for Slot {}

static SLOT: Slot = Slot(UnsafeCell::new([0; 3]));

// SAFETY: the workload has one object at a time, which fits.
unsafe impl GlobalAlloc for OneSlot {
    #[inline(always)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        debug_assert!(layout.size() <= size_of::<Slot>() && layout.align() <= align_of::<Slot>());
        SLOT.0.get().cast()
    }

    #[inline(always)]
    unsafe fn dealloc(&self, _slot: *mut u8, _layout: Layout) {}
}

impl<H: Named> Dynamic for Heap<H> {
    const NAME: &'static str = H::NAME;
    type Object = HeapBox<H>;

    fn enter() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> HeapBox<H> {
        const { assert!(size_of::<T>() > 0, "a heap does not hand out nothing") };
        let layout = Layout::new::<T>();
        // SAFETY: the size is not zero.
        let memory = unsafe { H::HEAP.alloc(layout) };
        let slot: NonNull<T> =
            NonNull::new(memory.cast()).unwrap_or_else(|| handle_alloc_error(layout));
        // SAFETY: the slot is ours alone, and large and aligned enough for a `T`.
        unsafe { slot.write(value()) };
        HeapBox(slot, PhantomData)
    }
}

impl<H: Named> Deref for HeapBox<H> {
    type Target = dyn Shape;

    #[inline(always)]
    fn deref(&self) -> &(dyn Shape + 'static) {
        // SAFETY: the value was written before the box was made, and lives as long as it.
        unsafe { self.0.as_ref() }
    }
}

impl<H: Named> DerefMut for HeapBox<H> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut (dyn Shape + 'static) {
        // SAFETY: as above, and the box is the value's only owner.
        unsafe { self.0.as_mut() }
    }
}

impl<H: Named> Drop for HeapBox<H> {
    #[inline(always)]
    fn drop(&mut self) {
        let layout = Layout::for_value(&**self);
        // SAFETY: the box owns the value, which is not used after this.
        unsafe { self.0.drop_in_place() };
        // SAFETY: the slot is from this heap, with this layout, and its value is gone.
        unsafe { H::HEAP.dealloc(self.0.as_ptr().cast(), layout) };
    }
}

/// plurality, with a pool for each type: the type is known where an object is made.
#[derive(Clone, Copy)]
pub struct Plural(&'static PluralPools);

impl Dynamic for Plural {
    const NAME: &'static str = "plurality Pool";
    type Object = PluralBox<dyn Shape>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(PluralPools::new())))
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> PluralBox<dyn Shape> {
        PluralBox::unsize(T::among(self.0).alloc_box_with(value), coerce!(dyn Shape))
    }
}

/// plurality, with a pool for any type.
#[derive(Clone, Copy)]
pub struct Multi(&'static MultiPool);

impl Dynamic for Multi {
    const NAME: &'static str = "plurality MultiPool";
    type Object = PluralBox<dyn Shape>;

    fn enter() -> Self {
        Self(Box::leak(Box::new(MultiPool::new())))
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> PluralBox<dyn Shape> {
        PluralBox::unsize(self.0.alloc_box_with(value), coerce!(dyn Shape))
    }
}

visitors! {
    VisitDynamic [C: Dynamic];
}

/// All of them.
pub fn dynamic_peers(visitor: &mut impl VisitDynamic) {
    visitor.visit::<Derived>();
    visitor.visit::<AnyBox>();
    visitor.visit::<AnyShared>();
    visitor.visit::<SystemBox>();
    visitor.visit::<Heap<MiMalloc>>();
    visitor.visit::<Heap<Jemalloc>>();
    visitor.visit::<Heap<SnMalloc>>();
    visitor.visit::<Plural>();
    visitor.visit::<Multi>();
}
