//! The array that a pointer stack lies in.

use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::{self, NonNull};

use crate::base::heap;
use crate::memory::pages;

/// The address of a vacant slot.
pub(super) type Entry = *mut u8;

/// Room for entries on the heap; none before there is a chunk.
pub(crate) struct EntryArray {
    entries: *mut Entry,
    room: usize,
}

impl EntryArray {
    /// An array without room.
    pub(super) const NONE: Self = Self { entries: ptr::null_mut(), room: 0 };

    /// Room for `room` entries, one or more; `None` where the heap has no such block.
    pub(super) fn allocate(room: usize) -> Option<Self> {
        debug_assert!(room > 0);
        let layout = Self::layout(room)?;
        // SAFETY: there is room for an entry at least, so the size is not zero.
        let block = NonNull::new(unsafe { heap::alloc(layout) })?;
        pages::advise(block.as_ptr(), layout);
        Some(Self { entries: block.as_ptr().cast(), room })
    }

    fn layout(room: usize) -> Option<Layout> {
        Layout::array::<Entry>(room).ok().map(pages::aligned)
    }

    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The heap bytes of an array with so much room, which exists.
    pub(super) fn bytes_for(room: usize) -> usize {
        Self::layout(room).map_or(0, |layout| layout.size())
    }

    /// The parts, which are no longer given back.
    pub(super) fn into_parts(self) -> (*mut Entry, usize) {
        let array = ManuallyDrop::new(self);
        (array.entries, array.room)
    }

    /// # Safety
    ///
    /// The parts came from [`EntryArray::into_parts`], or are those of [`EntryArray::NONE`], and are used no
    /// more.
    pub(super) unsafe fn from_parts(entries: *mut Entry, room: usize) -> Self {
        Self { entries, room }
    }
}

impl Drop for EntryArray {
    fn drop(&mut self) {
        // An array exists, so it has a layout.
        if let Some(layout) = Self::layout(self.room).filter(|_| self.room > 0) {
            // SAFETY: the block was allocated with this very layout, and this is the last use of it.
            unsafe { heap::dealloc(self.entries.cast(), layout) };
        }
    }
}
