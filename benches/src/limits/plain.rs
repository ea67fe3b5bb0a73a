//! The plain list: the limit of the hot pair.

use core::cell::Cell;
use core::ptr::NonNull;

use super::{Design, Region};

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
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self { top: Cell::new(None), region: Region::new() }
    }
}

impl Design for PlainList {
    const NAME: &'static str = "limit: plain list";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        let Some(slot) = self.top.get() else { return self.region.fresh() };
        // SAFETY: a slot on the list is free, and holds the link that `give` wrote.
        self.top.set(unsafe { slot.read() }.next);
        slot.cast()
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        let slot = slot.cast::<Free>();
        // SAFETY: the caller promises a free slot with room; slots are aligned to words.
        unsafe { slot.write(Free { next: self.top.get() }) };
        self.top.set(Some(slot));
    }
}
