//! The general heaps: the system's through `Box`, mimalloc, jemalloc and snmalloc through `GlobalAlloc`.

use core::alloc::{GlobalAlloc, Layout};
use core::ptr::NonNull;
use std::alloc::handle_alloc_error;

use mimalloc::MiMalloc;
use snmalloc_rs::SnMalloc;
use tikv_jemallocator::Jemalloc;

use super::slots::{AnyThread, Source};
use crate::contestant::{Contestant, Owning};

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

macro_rules! heaps {
    ($($heap:ident = $name:literal;)*) => {$(
        impl<T: 'static> Source<T> for $heap {
            const NAME: &'static str = $name;

            #[inline(always)]
            fn take() -> NonNull<T> {
                take_from(&$heap)
            }

            #[inline(always)]
            unsafe fn give(slot: NonNull<T>) {
                // SAFETY: the caller's promise covers it: the slot is from `take`, and unused.
                unsafe { $heap.dealloc(slot.as_ptr().cast(), Layout::new::<T>()) }
            }
        }

        // SAFETY: global allocators may free on any thread.
        unsafe impl AnyThread for $heap {}
    )*};
}

heaps! {
    MiMalloc = "mimalloc";
    Jemalloc = "jemalloc";
    SnMalloc = "snmalloc";
}

#[inline(always)]
fn take_from<T>(heap: &impl GlobalAlloc) -> NonNull<T> {
    const { assert!(size_of::<T>() > 0, "a heap does not hand out nothing") };
    let layout = Layout::new::<T>();
    // SAFETY: the size is not zero.
    let memory = unsafe { heap.alloc(layout) };
    NonNull::new(memory.cast()).unwrap_or_else(|| handle_alloc_error(layout))
}
