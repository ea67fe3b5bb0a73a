//! A list that knows its length without a counter: each free slot holds the depth below it.

use core::cell::Cell;
use core::ptr::NonNull;

use super::{Design, Region};

/// Where the next free slot is, and how many bytes of slots the list holds from here down.
#[derive(Clone, Copy)]
struct Free {
    next: Option<NonNull<Free>>,
    depth: usize,
}

/// A list with its depth in each slot; starts over when all slots are on it.
#[derive(Debug)]
pub struct DepthList {
    head: Cell<Option<NonNull<Free>>>,
    region: Region,
}

impl DepthList {
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self { head: Cell::new(None), region: Region::new() }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn emptied(&self) {
        self.head.set(None);
        self.region.rewind();
    }
}

impl Design for DepthList {
    const NAME: &'static str = "list, depth in slots";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        let Some(slot) = self.head.get() else { return self.region.fresh() };
        // SAFETY: a slot on the list is free, and holds what `give` wrote.
        self.head.set(unsafe { slot.read() }.next);
        slot.cast()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        let next = self.head.get();
        // SAFETY: a slot on the list is free, and holds what an earlier `give` wrote.
        let below = next.map_or(0, |next| unsafe { next.read() }.depth);
        let depth = below + size_of::<T>();
        let slot = slot.cast::<Free>();
        // SAFETY: the caller promises a free slot with room for two words.
        unsafe { slot.write(Free { next, depth }) };
        self.head.set(Some(slot));
        if depth == self.region.used() {
            self.emptied();
        }
    }
}
