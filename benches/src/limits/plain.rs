//! The plain list: the limit of the hot pair.

use core::cell::Cell;
use core::ptr::NonNull;

use super::Region;

/// A list of free slots, then the region.
pub struct PlainList {
    /// The slot that was freed last.
    top: Cell<Link>,
    region: Region,
}

/// The link in a free slot: the address of the next free slot.
type Link = Option<NonNull<Free>>;

/// A slot without a value.
struct Free {
    next: Link,
}

impl PlainList {
    pub(super) const fn new() -> Self {
        Self { top: Cell::new(None), region: Region::new() }
    }

    #[inline(always)]
    pub(super) fn take(&self, bytes: usize) -> NonNull<u8> {
        let Some(slot) = self.top.get() else { return self.region.fresh(bytes) };
        // SAFETY: a slot on the list is free, and holds the link that `give` wrote.
        self.top.set(unsafe { slot.read() }.next);
        slot.cast()
    }

    /// # Safety
    ///
    /// The slot came from `take` of this instance, has room for a word, and is not used again.
    #[inline(always)]
    pub(super) unsafe fn give(&self, slot: NonNull<u8>) {
        let slot = slot.cast::<Free>();
        // SAFETY: the caller promises a free slot with room; slots are aligned to words.
        unsafe { slot.write(Free { next: self.top.get() }) };
        self.top.set(Some(slot));
    }
}
