//! What a magazine keeps its slots in: an array of their addresses, or a list through them.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::free_list::FreeList;
use crate::pointer_stack::PointerStack;
use crate::sanitizer;
use crate::slot::Link;

/// The most slots in a magazine.
///
/// A batch is half of that. At 16 slots a batch threads do little but wait for one another; from 128 on
/// the price of the lock disappears.
pub(super) const ROOM: usize = 256;

/// An owned pool, and in what its free slots are kept in a thread.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for the derive")]
pub trait Cached {
    #[doc(hidden)]
    type Cache: Cache;
}

impl<T> Cached for PointerStack<T> {
    type Cache = Array;
}

impl<T> Cached for FreeList<T> {
    type Cache = List;
}

/// A thread's free slots. All are of one size, which every method is told, and poisoned.
#[doc(hidden)]
#[allow(unnameable_types, reason = "for the derive")]
pub trait Cache {
    /// Without a slot.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY: Self;

    /// How many slots there are. Other threads may ask, for a figure.
    fn len(&self) -> usize;

    /// Takes the slot that came last, fit for use.
    fn pop(&self, bytes: usize) -> Option<*mut u8>;

    /// Puts a slot in.
    ///
    /// # Safety
    ///
    /// 1. There are fewer than [`ROOM`] slots.
    /// 2. The slot is free, and good for writing a link if this is a [`List`].
    unsafe fn push(&self, slot: *mut u8, bytes: usize);

    /// Takes out `count` slots, of those that are there: fit for use.
    fn spill(&self, count: usize, bytes: usize, give: impl FnMut(*mut u8));
}

/// The addresses of the slots.
#[doc(hidden)]
#[allow(unnameable_types, missing_debug_implementations, reason = "for the derive")]
pub struct Array {
    len: AtomicUsize,
    slots: [Cell<*mut u8>; ROOM],
}

impl Cache for Array {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY: Self =
        Self { len: AtomicUsize::new(0), slots: [const { Cell::new(ptr::null_mut()) }; ROOM] };

    #[inline(always)]
    fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn pop(&self, bytes: usize) -> Option<*mut u8> {
        let len = self.len().checked_sub(1)?;
        self.len.store(len, Ordering::Relaxed);
        // SAFETY: the length never exceeds the array's (`push`).
        let slot = unsafe { self.slots.get_unchecked(len) }.get();
        sanitizer::unpoison(slot, bytes);
        Some(slot)
    }

    #[inline(always)]
    unsafe fn push(&self, slot: *mut u8, bytes: usize) {
        sanitizer::poison(slot, bytes);
        let len = self.len();
        // SAFETY: there is room (caller).
        unsafe { self.slots.get_unchecked(len) }.set(slot);
        self.len.store(len + 1, Ordering::Relaxed);
    }

    /// Those that came first: the others are still in the cache.
    fn spill(&self, count: usize, bytes: usize, mut give: impl FnMut(*mut u8)) {
        let len = self.len();
        let count = count.min(len);
        for slot in &self.slots[..count] {
            sanitizer::unpoison(slot.get(), bytes);
            give(slot.get());
        }
        for (to, from) in self.slots.iter().zip(&self.slots[count..len]) {
            to.set(from.get());
        }
        self.len.store(len - count, Ordering::Relaxed);
    }
}

/// A list through the slots.
#[doc(hidden)]
#[allow(unnameable_types, missing_debug_implementations, reason = "for the derive")]
pub struct List {
    len: AtomicUsize,
    head: Cell<*mut Link>,
}

impl Cache for List {
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    const EMPTY: Self = Self { len: AtomicUsize::new(0), head: Cell::new(ptr::null_mut()) };

    #[inline(always)]
    fn len(&self) -> usize {
        self.len.load(Ordering::Relaxed)
    }

    #[inline(always)]
    fn pop(&self, bytes: usize) -> Option<*mut u8> {
        let head = self.head.get();
        if head.is_null() {
            return None;
        }
        // SAFETY: the slot was linked when it came in (`push`).
        self.head.set(unsafe { Link::take(head, |_| true) });
        self.len.store(self.len() - 1, Ordering::Relaxed);
        sanitizer::unpoison(head.cast(), bytes);
        Some(head.cast())
    }

    #[inline(always)]
    unsafe fn push(&self, slot: *mut u8, bytes: usize) {
        sanitizer::poison(slot, bytes);
        // SAFETY: the slot is vacant, and good for a link (caller).
        unsafe { Link::write(slot.cast(), self.head.get()) };
        self.head.set(slot.cast());
        self.len.store(self.len() + 1, Ordering::Relaxed);
    }

    fn spill(&self, count: usize, bytes: usize, mut give: impl FnMut(*mut u8)) {
        for _ in 0..count {
            let Some(slot) = self.pop(bytes) else { return };
            give(slot);
        }
    }
}
