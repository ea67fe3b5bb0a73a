//! Which slots of a chunk are occupied: a bit for each, between the chunk's header and its slots.

use core::alloc::Layout;

const BITS: usize = usize::BITS as usize;

/// Leads to the marks of a chunk's slots.
pub(crate) struct Marks(*mut usize);

impl Marks {
    /// The layout of the marks of `slots` slots; `None` where that exceeds `isize::MAX` bytes.
    pub(crate) fn layout(slots: usize) -> Option<Layout> {
        Layout::array::<usize>(slots.div_ceil(BITS)).ok()
    }

    /// The marks at `start`: none is set.
    ///
    /// # Safety
    ///
    /// There is room for what [`Marks::layout`] says, for as long as the marks are used.
    pub(crate) unsafe fn new(start: *mut u8, slots: usize) -> Self {
        let marks = Self(start.cast());
        // SAFETY: passed on from the caller.
        unsafe { marks.clear(slots) };
        marks
    }

    /// The word and the bit of the slot with this number.
    fn mark_of(&self, slot: usize) -> (*mut usize, usize) {
        (self.0.wrapping_add(slot / BITS), 1 << (slot % BITS))
    }

    /// Whether the slot with this number is occupied; `None` if that is not known.
    ///
    /// # Safety
    ///
    /// There is a slot with this number.
    pub(crate) unsafe fn get(&self, slot: usize) -> Option<bool> {
        let (word, bit) = self.mark_of(slot);
        // SAFETY: the marks are initialised, and there is one for each slot (`Marks::new`, caller).
        Some(unsafe { word.read() } & bit != 0)
    }

    /// Marks the slot with this number as occupied, or as vacant.
    ///
    /// # Safety
    ///
    /// There is a slot with this number, and no other thread uses the marks.
    pub(crate) unsafe fn set(&self, slot: usize, is_occupied: bool) {
        let (word, bit) = self.mark_of(slot);
        // SAFETY: as in `get`.
        let others = unsafe { word.read() } & !bit;
        // SAFETY: as in `get`; nobody else reads it (caller).
        unsafe { word.write(if is_occupied { others | bit } else { others }) };
    }

    /// Marks all slots as vacant.
    ///
    /// # Safety
    ///
    /// There are marks for `slots` slots, and no other thread uses them.
    pub(crate) unsafe fn clear(&self, slots: usize) {
        // SAFETY: passed on from the caller.
        unsafe { self.0.write_bytes(0, slots.div_ceil(BITS)) };
    }
}
