//! For each slot, the last entry of the log that says how it was.

use alloc::vec::Vec;
use core::cell::Cell;

/// Entries have positions, in the order in which they were made. 0 is none.
pub(super) type Position = u32;

/// The bit of a link that is 1 if the slot was written to after the entry was made. (Otherwise a mark has copied the element.) The
/// highest, so that one comparison tells whether a slot was written to since the last mark.
pub(super) const WRITTEN: u32 = 1 << 31;

/// The links, by slot: the position of the last entry, with [`WRITTEN`]. One may be out of date, and lead before the first
/// entry.
pub(super) struct Links {
    /// Empty before the first mark; from then on, before an element is lent, there is one for each slot.
    pub(super) of: Vec<u32>,
    /// The position at which the last mark was made, with [`WRITTEN`].
    pub(super) last_mark: u32,
}

impl Links {
    pub(super) const fn new() -> Self {
        Self { of: Vec::new(), last_mark: 0 }
    }

    /// Makes sure that there is a link for each of so many slots.
    #[inline]
    pub(super) fn grow(&mut self, slots: usize) {
        if self.of.len() < slots {
            self.of.resize(slots, 0);
        }
    }

    /// To be shared by elements that are lent.
    #[inline]
    pub(super) fn share(&mut self) -> SharedLinks<'_> {
        let of = Cell::from_mut(self.of.as_mut_slice()).as_slice_of_cells();
        SharedLinks { of, last_mark: self.last_mark }
    }

    /// How many slots were written to since the last mark. O(slots).
    pub(super) fn count_written(&self) -> usize {
        self.of.iter().filter(|&&link| link >= self.last_mark).count()
    }
}

/// [`Links`] that several may read and write in turn.
#[derive(Clone, Copy)]
pub(super) struct SharedLinks<'a> {
    of: &'a [Cell<u32>],
    last_mark: u32,
}

impl<'a> SharedLinks<'a> {
    /// The link of a slot that is about to be written to, if the log has to remember how it was: this is the first time
    /// since the last mark.
    #[inline(always)]
    pub(super) fn first_write(&self, slot: u32) -> Option<&'a Cell<u32>> {
        // Without a link there is no log.
        let link = self.of.get(slot as usize)?;
        if link.get() >= self.last_mark {
            return None;
        }
        if link.get() | WRITTEN >= self.last_mark {
            // The last mark has copied the element.
            link.set(link.get() | WRITTEN);
            return None;
        }
        Some(link)
    }
}
