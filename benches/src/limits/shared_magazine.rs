//! An array of 256 free slots in each thread, and a depot of batches between the threads: the
//! limit of a pool for the whole process.

use core::cell::Cell;
use core::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Design, Region};
use crate::contestants::slots::AnyThread;

const SLOTS: usize = 256;
const BATCH: usize = SLOTS / 2;

/// Half a magazine of free slots of one size, on its way to the thread that needs it.
struct Batch {
    slot_bytes: usize,
    slots: [NonNull<u8>; BATCH],
}

// SAFETY: the slots are free memory that nothing refers to and that never goes away.
unsafe impl Send for Batch {}

/// Slots of one size are alike, so that one depot serves all types.
static DEPOT: Mutex<Vec<Batch>> = Mutex::new(Vec::new());

fn depot() -> MutexGuard<'static, Vec<Batch>> {
    DEPOT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A thread's magazine before the depot.
pub struct SharedMagazine {
    len: Cell<usize>,
    region: Region,
    magazine: [Cell<NonNull<u8>>; SLOTS],
}

impl SharedMagazine {
    /// An empty magazine.
    pub(super) const fn new() -> Self {
        Self {
            len: Cell::new(0),
            region: Region::new(),
            magazine: [const { Cell::new(NonNull::dangling()) }; SLOTS],
        }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn empty<T>(&self) -> NonNull<T> {
        let mut depot = depot();
        let found = depot.iter().position(|batch| batch.slot_bytes == size_of::<T>());
        let Some(found) = found else { return self.region.fresh() };
        let batch = depot.swap_remove(found);
        for (place, slot) in self.magazine.iter().zip(batch.slots) {
            place.set(slot);
        }
        self.len.set(BATCH - 1);
        batch.slots[BATCH - 1].cast()
    }

    #[cold]
    #[inline(never)]
    extern "C" fn full(&self, slot_bytes: usize) {
        let slots = core::array::from_fn(|index| self.magazine[BATCH + index].get());
        depot().push(Batch { slot_bytes, slots });
        self.len.set(BATCH);
    }
}

// SAFETY: a slot may join any thread's magazine. The region that it is from never goes away.
unsafe impl AnyThread for SharedMagazine {}

impl Design for SharedMagazine {
    const NAME: &'static str = "limit: shared magazine of 256";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        let Some(len) = self.len.get().checked_sub(1) else { return self.empty() };
        self.len.set(len);
        // SAFETY: the length never exceeds the array's.
        unsafe { self.magazine.get_unchecked(len) }.get().cast()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        if self.len.get() == SLOTS {
            self.full(size_of::<T>());
        }
        let len = self.len.get();
        // SAFETY: the magazine is not full, so the length is below the array's.
        unsafe { self.magazine.get_unchecked(len) }.set(slot.cast());
        self.len.set(len + 1);
    }
}
