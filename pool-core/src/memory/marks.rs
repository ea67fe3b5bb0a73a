//! Which slots of a chunk are occupied: a bit for each, between the chunk's header and its slots.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::memory::chunk::Chunk;

const BITS: usize = usize::BITS as usize;

impl Chunk {
    /// The layout of the marks of `slots` slots; `None` where that exceeds `isize::MAX` bytes.
    pub(crate) fn marks(slots: usize) -> Option<Layout> {
        Layout::array::<usize>(slots.div_ceil(BITS)).ok()
    }

    /// Where the marks of a new chunk begin: none is set.
    ///
    /// # Safety
    ///
    /// `chunk` is a block with room for a header, and the marks of `slots` slots behind that.
    pub(crate) unsafe fn no_marks(chunk: NonNull<Self>, slots: usize) -> *mut usize {
        // A header's alignment is at least that of a word, and its size a multiple of that.
        let marks = chunk.as_ptr().wrapping_add(1).cast::<usize>();
        // SAFETY: there is room for as many words (caller).
        unsafe { marks.write_bytes(0, slots.div_ceil(BITS)) };
        marks
    }

    /// The word and the bit of the slot at the address.
    fn mark_of(&self, address: usize, slot: Layout) -> (*mut usize, usize) {
        let index = (address - self.start().addr()) / slot.size();
        (self.marks.wrapping_add(index / BITS), 1 << (index % BITS))
    }

    /// Whether the slot at the address is occupied.
    pub(crate) fn is_occupied(&self, address: usize, slot: Layout) -> bool {
        let (word, bit) = self.mark_of(address, slot);
        // SAFETY: the marks are initialised, and the chunk has as many as slots.
        unsafe { word.read() & bit != 0 }
    }

    /// Marks a slot of this chunk as occupied, or as vacant.
    pub(crate) fn mark(&self, at: *mut u8, slot: Layout, is_occupied: bool) {
        let (word, bit) = self.mark_of(at.addr(), slot);
        // SAFETY: as in `is_occupied`.
        let others = unsafe { word.read() } & !bit;
        // SAFETY: as in `is_occupied`; the pool is not used by two threads at a time.
        unsafe { word.write(if is_occupied { others | bit } else { others }) };
    }

    /// Marks all slots as vacant.
    pub(crate) fn mark_all_vacant(&self) {
        // SAFETY: as in `mark`.
        unsafe { self.marks.write_bytes(0, self.slots.div_ceil(BITS)) };
    }
}
