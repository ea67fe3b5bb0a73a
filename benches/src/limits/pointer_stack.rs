//! Free slots as an array of their addresses: nothing is read from or written to freed memory.

use core::cell::Cell;
use core::ptr::{NonNull, null_mut};

use super::Region;

/// How many addresses the stack holds: more than any workload frees.
const CAPACITY: usize = 2 << 20;

/// A stack of pointers beside the slots.
pub struct PointerStack {
    top: Cell<*mut NonNull<u8>>,
    bottom: Cell<*mut NonNull<u8>>,
    region: Region,
}

impl PointerStack {
    pub(super) const fn new() -> Self {
        Self { top: Cell::new(null_mut()), bottom: Cell::new(null_mut()), region: Region::new() }
    }

    /// The first slot ever; the stack gets its array with it, so that `give` need not ask.
    #[cold]
    #[inline(never)]
    extern "C" fn open(&self) {
        let array = Vec::<NonNull<u8>>::with_capacity(CAPACITY).leak().as_mut_ptr();
        self.top.set(array);
        self.bottom.set(array);
    }

    #[inline(always)]
    pub(super) fn take(&self, bytes: usize) -> NonNull<u8> {
        let top = self.top.get();
        if top != self.bottom.get() {
            let top = top.wrapping_sub(1);
            self.top.set(top);
            // SAFETY: between bottom and top lie addresses that `give` wrote.
            return unsafe { top.read() };
        }
        if !self.region.has_fresh() {
            self.open();
        }
        self.region.fresh(bytes)
    }

    /// # Safety
    ///
    /// The slot came from `take` of this instance, and is not used again.
    #[inline(always)]
    pub(super) unsafe fn give(&self, slot: NonNull<u8>) {
        let top = self.top.get();
        // SAFETY: the array exists since the first slot, and is larger than any workload.
        unsafe { top.write(slot) };
        self.top.set(top.wrapping_add(1));
    }
}
