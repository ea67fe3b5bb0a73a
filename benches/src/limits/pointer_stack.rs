//! Free slots as an array of their addresses: nothing is read from or written to freed memory.

use core::cell::Cell;
use core::ptr::{NonNull, null_mut};

use super::{Design, Region};

/// How many addresses the stack holds: more than any workload frees.
const CAPACITY: usize = 2 << 20;

/// A stack of pointers beside the slots.
pub struct PointerStack {
    top: Cell<*mut NonNull<u8>>,
    bottom: Cell<*mut NonNull<u8>>,
    region: Region,
}

impl PointerStack {
    /// An empty stack.
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
}

impl Design for PointerStack {
    const NAME: &'static str = "limit: pointer stack";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        let top = self.top.get();
        if top != self.bottom.get() {
            let top = top.wrapping_sub(1);
            self.top.set(top);
            // SAFETY: between bottom and top lie addresses that `give` wrote.
            return unsafe { top.read() }.cast();
        }
        if !self.region.has_fresh() {
            self.open();
        }
        self.region.fresh()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        let top = self.top.get();
        // SAFETY: the array exists since the first slot, and is larger than any workload.
        unsafe { top.write(slot.cast()) };
        self.top.set(top.wrapping_add(1));
    }
}
