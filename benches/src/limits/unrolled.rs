//! A list with arrays as links: one free slot holds the addresses of all others that fit.
//!
//! Pops do not wait for each other, one slot in several is written to, and emptiness is asked
//! about once an array. Slots of two or three words gain nothing.

use core::cell::Cell;
use core::ptr::{NonNull, null_mut};

use super::{Design, Region};

/// A free slot as an array. The first word leads to the array below.
type Word = *mut u8;

/// The last slot, then arrays of addresses in free slots.
#[derive(Debug)]
pub struct Unrolled {
    last: Cell<Option<NonNull<u8>>>,
    /// Behind the topmost address in the topmost array.
    cursor: Cell<*mut Word>,
    /// The topmost array's first address; null if there is no array.
    start: Cell<*mut Word>,
    /// Where `give` must look closer: the array is full, or with the next slot all are free.
    limit: Cell<*mut Word>,
    /// Free slots that are neither `last` nor in the topmost array.
    below: Cell<usize>,
    region: Region,
}

impl Unrolled {
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self {
            last: Cell::new(None),
            cursor: Cell::new(null_mut()),
            start: Cell::new(null_mut()),
            limit: Cell::new(null_mut()),
            below: Cell::new(0),
            region: Region::new(),
        }
    }

    /// How many addresses the topmost array holds.
    fn held(&self) -> usize {
        (self.cursor.get().addr() - self.start.get().addr()) / size_of::<Word>()
    }

    /// Makes the array in `slot` the topmost, with this many addresses in it.
    fn open(&self, slot: *mut Word, held: usize) {
        self.start.set(slot.wrapping_add(1));
        self.cursor.set(self.start.get().wrapping_add(held));
    }

    /// Sets the limit: the array's end, or one short of where all slots would be free.
    fn watch<T>(&self) {
        let before_all_free = self.region.used() / size_of::<T>() - self.below.get() - 2;
        self.limit.set(self.start.get().wrapping_add(room::<T>().min(before_all_free)));
    }

    /// The topmost array is empty: its slot itself is next, and the array below is full.
    #[cold]
    #[inline(never)]
    extern "C" fn consume<T>(&self) -> NonNull<T> {
        let slot = self.start.get().wrapping_sub(1);
        // SAFETY: an array's first word was written when it became one.
        let lower = unsafe { slot.read() }.cast::<Word>();
        if lower.is_null() {
            self.cursor.set(null_mut());
            self.start.set(null_mut());
            self.limit.set(null_mut());
            self.below.set(0);
        } else {
            self.open(lower, room::<T>());
            self.below.set(self.below.get() - 1 - room::<T>());
            self.watch::<T>();
        }
        // SAFETY: there was an array.
        unsafe { NonNull::new_unchecked(slot.cast()) }
    }

    /// The topmost array is full, or all slots are free.
    #[cold]
    #[inline(never)]
    extern "C" fn full<T>(&self, earlier: NonNull<u8>, slot: NonNull<T>) {
        let free = self.below.get() + self.held();
        if free + 2 == self.region.used() / size_of::<T>() {
            self.last.set(None);
            self.cursor.set(null_mut());
            self.start.set(null_mut());
            self.limit.set(null_mut());
            self.below.set(0);
            self.region.rewind();
            return;
        }
        if self.start.get().is_null() || self.held() == room::<T>() {
            let array = earlier.cast::<Word>();
            let lower = self.start.get();
            let lower = if lower.is_null() { lower } else { lower.wrapping_sub(1) };
            // SAFETY: the slot is free, and has room for two words.
            unsafe { array.write(lower.cast()) };
            self.below.set(free + 1);
            self.open(array.as_ptr(), 0);
        } else {
            let cursor = self.cursor.get();
            // SAFETY: the array is not full.
            unsafe { cursor.write(earlier.as_ptr()) };
            self.cursor.set(cursor.wrapping_add(1));
        }
        self.watch::<T>();
        self.last.set(Some(slot.cast()));
    }
}

/// How many addresses a slot has room for beside the first word.
const fn room<T>() -> usize {
    size_of::<T>() / size_of::<Word>() - 1
}

impl Design for Unrolled {
    const NAME: &'static str = "last slot + arrays in slots";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        if let Some(slot) = self.last.get() {
            self.last.set(None);
            return slot.cast();
        }
        let cursor = self.cursor.get();
        if cursor != self.start.get() {
            let cursor = cursor.wrapping_sub(1);
            self.cursor.set(cursor);
            // SAFETY: between start and cursor lie addresses that `give` wrote.
            let slot = unsafe { cursor.read() };
            // SAFETY: they are addresses of slots.
            return unsafe { NonNull::new_unchecked(slot.cast()) };
        }
        if cursor.is_null() {
            return self.region.fresh();
        }
        self.consume()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        if let Some(earlier) = self.last.get() {
            let cursor = self.cursor.get();
            if cursor == self.limit.get() {
                return self.full(earlier, slot);
            }
            // SAFETY: below the limit the array has room.
            unsafe { cursor.write(earlier.as_ptr()) };
            self.cursor.set(cursor.wrapping_add(1));
        }
        self.last.set(Some(slot.cast()));
    }
}
