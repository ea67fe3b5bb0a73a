//! A list and a counter of live objects, which tells when to hand out in order again.

use core::cell::Cell;
use core::ptr::NonNull;

use super::{Design, List, Region};

/// A plain list that starts over when nothing is live.
#[derive(Debug)]
pub struct CountedList {
    free: List,
    live: Cell<usize>,
    region: Region,
}

impl CountedList {
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self { free: List::new(), live: Cell::new(0), region: Region::new() }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn emptied(&self) {
        self.free.clear();
        self.region.rewind();
    }
}

impl Design for CountedList {
    const NAME: &'static str = "list + live counter";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        self.live.set(self.live.get() + 1);
        match self.free.pop() {
            Some(slot) => slot,
            None => self.region.fresh(),
        }
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        // SAFETY: the caller promises a free slot with room.
        unsafe { self.free.push(slot) };
        self.live.set(self.live.get() - 1);
        if self.live.get() == 0 {
            self.emptied();
        }
    }
}
