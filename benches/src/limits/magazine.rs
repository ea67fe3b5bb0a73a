//! An array of 64 free slots in front of a list: the hot pair stays in the array, the list is long.

use core::array;
use core::cell::Cell;
use core::ptr::NonNull;

use super::{Design, List, Region};

const SLOTS: usize = 64;
const HALF: usize = SLOTS / 2;

/// A magazine of 64, a list behind it, and the region behind both.
#[derive(Debug)]
pub struct Magazine {
    /// How many slots the magazine holds.
    len: Cell<usize>,
    /// At which length the next `give` must look closer: the magazine is full, or with the
    /// next slot everything is free. One comparison answers both.
    limit: Cell<usize>,
    /// How many slots the list holds.
    listed: Cell<usize>,
    list: List,
    region: Region,
    magazine: [Cell<NonNull<u8>>; SLOTS],
}

impl Magazine {
    /// An empty magazine.
    pub(super) const fn new() -> Self {
        Self {
            len: Cell::new(0),
            limit: Cell::new(SLOTS),
            listed: Cell::new(0),
            list: List::new(),
            region: Region::new(),
            magazine: [const { Cell::new(NonNull::dangling()) }; SLOTS],
        }
    }

    /// Moves up to half a magazine over from the list. Says whether there was anything.
    #[cold]
    #[inline(never)]
    extern "C" fn refill(&self, slot_bytes: usize) {
        let count = self.listed.get().min(HALF);
        for place in self.magazine[..count].iter().rev() {
            place.set(self.list.pop().expect("the list holds what was counted"));
        }
        self.listed.set(self.listed.get() - count);
        self.len.set(count);
        self.watch(slot_bytes);
    }

    /// The magazine is full, or all is free.
    #[cold]
    #[inline(never)]
    extern "C" fn full(&self, slot: NonNull<u8>, slot_bytes: usize) {
        let used = self.region.used() / slot_bytes;
        if self.listed.get() + self.len.get() + 1 == used {
            self.len.set(0);
            self.listed.set(0);
            self.list.clear();
            self.region.rewind();
            self.limit.set(SLOTS);
            return;
        }
        if self.len.get() == SLOTS {
            for place in &self.magazine[..HALF] {
                // SAFETY: what the magazine holds is free, with room as `give` was promised.
                unsafe { self.list.push(place.get()) };
            }
            self.listed.set(self.listed.get() + HALF);
            let upper: [_; HALF] = array::from_fn(|index| self.magazine[HALF + index].get());
            for (place, slot) in self.magazine.iter().zip(upper) {
                place.set(slot);
            }
            self.len.set(HALF);
        }
        self.magazine[self.len.get()].set(slot);
        self.len.set(self.len.get() + 1);
        self.watch(slot_bytes);
    }

    /// Sets the length at which `give` looks closer. While the list is empty a full magazine
    /// is soon enough.
    fn watch(&self, slot_bytes: usize) {
        let listed = self.listed.get();
        let used = self.region.used() / slot_bytes;
        self.limit.set(if listed == 0 { SLOTS } else { SLOTS.min(used - listed - 1) });
    }
}

impl Design for Magazine {
    const NAME: &'static str = "magazine of 64 + list";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        if self.len.get() == 0 {
            if self.list.is_empty() {
                return self.region.fresh();
            }
            self.refill(size_of::<T>());
        }
        let len = self.len.get() - 1;
        self.len.set(len);
        // SAFETY: the length never exceeds the array's.
        unsafe { self.magazine.get_unchecked(len) }.get().cast()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        let len = self.len.get();
        if len == self.limit.get() {
            return self.full(slot.cast(), size_of::<T>());
        }
        // SAFETY: the limit never exceeds the array's length.
        unsafe { self.magazine.get_unchecked(len) }.set(slot.cast());
        self.len.set(len + 1);
    }
}
