//! The slot freed last in a word of its own, the others on a list, and no counter of live
//! objects: they are the distance between two pointers. The library's design, by hand.

use core::cell::Cell;
use core::ptr::NonNull;

use super::{Design, List, Region};

/// The last slot, a list, and a floor that rises towards the bump pointer with each listed slot.
#[derive(Debug)]
pub struct LastSlot {
    /// The slot freed last. A pair of free and alloc touches this word only.
    last: Cell<Option<NonNull<u8>>>,
    list: List,
    /// The region's base plus the bytes of all slots on the list, so that the bump pointer
    /// minus the floor is what is live, or lies in `last`.
    floor: Cell<usize>,
    region: Region,
}

impl LastSlot {
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self {
            last: Cell::new(None),
            list: List::new(),
            floor: Cell::new(0),
            region: Region::new(),
        }
    }

    #[cold]
    #[inline(never)]
    extern "C" fn open<T>(&self) -> NonNull<T> {
        let slot = self.region.fresh();
        self.floor.set(self.region.base());
        slot
    }

    #[cold]
    #[inline(never)]
    extern "C" fn emptied(&self) {
        self.last.set(None);
        self.list.clear();
        self.region.rewind();
        self.floor.set(self.region.base());
    }
}

impl Design for LastSlot {
    const NAME: &'static str = "last slot + list, floor";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        if let Some(slot) = self.last.get() {
            self.last.set(None);
            return slot.cast();
        }
        if let Some(slot) = self.list.pop() {
            self.floor.set(self.floor.get().wrapping_sub(size_of::<T>()));
            return slot;
        }
        if self.region.has_fresh() {
            return self.region.fresh();
        }
        self.open()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        if let Some(earlier) = self.last.get() {
            let floor = self.floor.get().wrapping_add(size_of::<T>());
            if floor.wrapping_add(size_of::<T>()) == self.region.bump() {
                return self.emptied();
            }
            self.floor.set(floor);
            // SAFETY: the slot in `last` is free, and had room when it was given.
            unsafe { self.list.push(earlier) };
        }
        self.last.set(Some(slot.cast()));
    }
}
