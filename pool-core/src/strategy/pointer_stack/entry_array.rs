//! The array that a pointer stack lies in.

use alloc::alloc::{alloc, dealloc};
use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr;

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
        let layout = Layout::array::<Entry>(room).ok()?;
        // SAFETY: there is room for an entry at least, so the size is not zero.
        let entries: *mut Entry = unsafe { alloc(layout) }.cast();
        // Not `then_some`, which would drop an array at null.
        (!entries.is_null()).then(|| Self { entries, room })
    }

    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// The heap bytes of an array with so much room, which exists.
    pub(super) fn bytes_for(room: usize) -> usize {
        room * size_of::<Entry>()
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
        if self.room == 0 {
            return;
        }
        // SAFETY: an array of this size exists, so neither does the size overflow nor is the
        // alignment anything but that of an entry.
        let layout = unsafe {
            Layout::from_size_align_unchecked(Self::bytes_for(self.room), align_of::<Entry>())
        };
        // SAFETY: the block was allocated with this very layout, and this is the last use of it.
        unsafe { dealloc(self.entries.cast(), layout) };
    }
}
