//! The plain list: the limit of the hot pair.

use core::ptr::NonNull;

use super::{Design, List, Region};

/// A list of free slots, then the region.
#[derive(Debug)]
pub struct PlainList {
    free: List,
    region: Region,
}

impl PlainList {
    /// An empty list.
    pub(super) const fn new() -> Self {
        Self { free: List::new(), region: Region::new() }
    }
}

impl Design for PlainList {
    const NAME: &'static str = "limit: plain list";

    #[inline(always)]
    fn take<T>(&self) -> NonNull<T> {
        match self.free.pop() {
            Some(slot) => slot,
            None => self.region.fresh(),
        }
    }

    #[inline(always)]
    unsafe fn give<T>(&self, slot: NonNull<T>) {
        // SAFETY: the caller promises a free slot with room.
        unsafe { self.free.push(slot) };
    }
}
