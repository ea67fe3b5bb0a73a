//! The general heaps, and a box over anything that hands out raw slots: heaps called directly, limits by hand.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use std::alloc::handle_alloc_error;

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

use crate::contestant::{Contestant, Dynamic, Owning};
use crate::workloads::shapes::{Kind, Shape};

/// `Box` over the system's heap, which is the program's global allocator.
#[derive(Clone, Copy)]
pub struct SystemBox;

impl<T: 'static> Contestant<T> for SystemBox {
    const NAME: &'static str = "Box (system)";
    type Object = Box<T>;

    fn enter() -> Self {
        Self
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> Box<T> {
        Box::new(make())
    }

    by_deref!(T);
}

impl<T> Owning for Box<T> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        NonNull::from(Box::leak(self))
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        // SAFETY: the caller promises that the address came from `into_raw`, once.
        unsafe { Box::from_raw(value.as_ptr()) }
    }
}

impl Dynamic for SystemBox {
    const NAME: &'static str = <Self as Contestant<u64>>::NAME;
    type Object = Box<dyn Shape>;

    fn enter() -> Self {
        Self
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> Box<dyn Shape> {
        Box::new(value())
    }
}

/// A source of slots.
pub trait Source: 'static {
    const NAME: &'static str;

    /// Is told of a layout before a slot of it is asked for.
    fn enter(_layout: Layout) {}

    /// Hands out a slot that holds nothing yet.
    fn take(layout: Layout) -> NonNull<u8>;

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// The slot came from `take` of the same source and with this layout, on this thread unless the source is for
    /// [any](AnyThread), and is not used again.
    unsafe fn give(slot: NonNull<u8>, layout: Layout);
}

/// A source that takes slots back on any thread.
///
/// # Safety
///
/// It does.
pub unsafe trait AnyThread {}

/// A source of slots of several layouts.
pub trait AnyLayout: Source {}

/// A source as a contestant.
pub struct Slots<S>(PhantomData<fn() -> S>);

impl<S> Clone for Slots<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Slots<S> {}

impl<T: 'static, S: Source> Contestant<T> for Slots<S> {
    const NAME: &'static str = S::NAME;
    type Object = SlotBox<T, S>;

    fn enter() -> Self {
        S::enter(Layout::new::<T>());
        Self(PhantomData)
    }

    #[inline(always)]
    fn alloc(self, make: impl FnOnce() -> T) -> SlotBox<T, S> {
        SlotBox(written::<T, S>(make), PhantomData)
    }

    by_deref!(T);
}

impl<S: AnyLayout> Dynamic for Slots<S> {
    const NAME: &'static str = S::NAME;
    type Object = SlotBox<dyn Shape, S>;

    fn enter() -> Self {
        Self(PhantomData)
    }

    #[inline(always)]
    fn make<T: Kind>(self, value: impl FnOnce() -> T) -> SlotBox<dyn Shape, S> {
        SlotBox(written::<T, S>(value), PhantomData)
    }
}

#[inline(always)]
fn written<T, S: Source>(make: impl FnOnce() -> T) -> NonNull<T> {
    const { assert!(size_of::<T>() > 0, "a heap does not hand out nothing") };
    let slot = S::take(Layout::new::<T>()).cast();
    // SAFETY: the slot is ours alone, and large and aligned enough for a `T`.
    unsafe { slot.write(make()) };
    slot
}

/// Owns the value in a slot.
pub struct SlotBox<T: ?Sized, S: Source>(NonNull<T>, PhantomData<fn() -> S>);

// SAFETY: the box owns a `T`, and its slot may be given back wherever it gets.
unsafe impl<T: Send, S: Source + AnyThread> Send for SlotBox<T, S> {}

impl<T: ?Sized, S: Source> Deref for SlotBox<T, S> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the value was written before the box was made, and lives as long as it.
        unsafe { self.0.as_ref() }
    }
}

impl<T: ?Sized, S: Source> DerefMut for SlotBox<T, S> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and the box is the value's only owner.
        unsafe { self.0.as_mut() }
    }
}

impl<T: ?Sized, S: Source> Drop for SlotBox<T, S> {
    #[inline(always)]
    fn drop(&mut self) {
        let layout = Layout::for_value(&**self);
        // SAFETY: the box owns a value, which is not used after this.
        unsafe { self.0.drop_in_place() };
        // SAFETY: the slot is from the same source, with this layout, and its value is gone.
        unsafe { S::give(self.0.cast(), layout) };
    }
}

impl<T, S: Source> Owning for SlotBox<T, S> {
    #[inline(always)]
    fn into_raw(self) -> NonNull<T> {
        let value = self.0;
        core::mem::forget(self);
        value
    }

    #[inline(always)]
    unsafe fn from_raw(value: NonNull<T>) -> Self {
        Self(value, PhantomData)
    }
}

macro_rules! heaps {
    ($($heap:ident = $name:literal;)*) => {$(
        impl Source for $heap {
            const NAME: &'static str = $name;

            #[inline(always)]
            fn take(layout: Layout) -> NonNull<u8> {
                // SAFETY: the size is not zero: `written` asserts it.
                let memory = unsafe { $heap.alloc(layout) };
                NonNull::new(memory).unwrap_or_else(|| handle_alloc_error(layout))
            }

            #[inline(always)]
            unsafe fn give(slot: NonNull<u8>, layout: Layout) {
                // SAFETY: the caller's promise covers it: the slot is from `take`, and unused.
                unsafe { $heap.dealloc(slot.as_ptr(), layout) }
            }
        }

        // SAFETY: global allocators may free on any thread.
        unsafe impl AnyThread for $heap {}

        impl AnyLayout for $heap {}
    )*};
}

heaps! {
    MiMalloc = "mimalloc";
    Jemalloc = "jemalloc";
    SnMalloc = "snmalloc";
}

/// No allocator at all, for workloads that hold one object at a time: the cost of the constructor and the loop.
pub struct OneSlot;

struct Slot(UnsafeCell<[u64; 8]>);

// SAFETY: one thread runs the workload.
unsafe impl Sync for Slot {}

static SLOT: Slot = Slot(UnsafeCell::new([0; 8]));

impl Source for OneSlot {
    const NAME: &'static str = "limit: no allocator";

    #[inline(always)]
    fn take(layout: Layout) -> NonNull<u8> {
        assert!(layout.size() <= size_of::<Slot>() && layout.align() <= align_of::<Slot>());
        NonNull::from(&SLOT.0).cast()
    }

    #[inline(always)]
    unsafe fn give(_slot: NonNull<u8>, _layout: Layout) {}
}

impl AnyLayout for OneSlot {}
