//! An array of 256 free slots in each thread, and a depot of batches between the threads: the limit of a pool for the whole process.

use core::array;
use core::cell::Cell;
use core::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Region;
use crate::contestants::AnyThread;

const SLOTS: usize = 256;
const BATCH: usize = SLOTS / 2;

/// Half a magazine of free slots, on its way to the thread that needs it.
struct Batch([NonNull<u8>; BATCH]);

// SAFETY: the slots are free memory that nothing refers to and that never goes away.
unsafe impl Send for Batch {}

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

// SAFETY: a slot may join any thread's magazine. The region that it is from never goes away.
unsafe impl AnyThread for SharedMagazine {}

impl SharedMagazine {
    pub(super) const fn new() -> Self {
        Self {
            len: Cell::new(0),
            region: Region::new(),
            magazine: [const { Cell::new(NonNull::dangling()) }; SLOTS],
        }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn empty(&self, bytes: usize) -> NonNull<u8> {
        let Some(Batch(slots)) = depot().pop() else { return self.region.fresh(bytes) };
        for (place, slot) in self.magazine.iter().zip(slots) {
            place.set(slot);
        }
        self.len.set(BATCH - 1);
        slots[BATCH - 1]
    }

    #[cold]
    #[inline(never)]
    extern "C" fn full(&self) {
        depot().push(Batch(array::from_fn(|index| self.magazine[BATCH + index].get())));
        self.len.set(BATCH);
    }

    #[inline(always)]
    pub(super) fn take(&self, bytes: usize) -> NonNull<u8> {
        let Some(len) = self.len.get().checked_sub(1) else { return self.empty(bytes) };
        self.len.set(len);
        // SAFETY: the length never exceeds the array's.
        unsafe { self.magazine.get_unchecked(len) }.get()
    }

    /// # Safety
    ///
    /// The slot came from `take` of any instance, and is not used again.
    #[inline(always)]
    pub(super) unsafe fn give(&self, slot: NonNull<u8>) {
        if self.len.get() == SLOTS {
            self.full();
        }
        let len = self.len.get();
        // SAFETY: the magazine is not full, so the length is below the array's.
        unsafe { self.magazine.get_unchecked(len) }.set(slot);
        self.len.set(len + 1);
    }
}
