//! For each slot, the last entry of the log that says how it was.

use alloc::vec::Vec;
use core::alloc::Layout;
use core::cell::Cell;

/// Entries have positions: those behind a later mark have greater ones. 0 is none.
pub(super) type Position = u32;

/// The bit of a link that is 1 if the slot had no element then. (It is the lowest, so that links are in the order of positions.)
pub(super) const EMPTY: u32 = 1;

/// The link to the entry with this position.
#[inline]
pub(super) const fn link_to(position: Position, flags: u32) -> u32 {
    (position << 1) | flags
}

/// The position to which a link leads.
#[inline]
pub(super) const fn position_of(link: u32) -> Position {
    link >> 1
}

/// The links, by slot. One may be out of date, and lead before the first entry.
pub(super) struct Links {
    /// Empty before the first mark; from then on, before an element is lent, there is one for each slot.
    pub(super) of: Vec<u32>,
    /// The least link of a slot that was written to since the last mark.
    pub(super) last_mark: u32,
    /// Whether the last mark has copied everything.
    pub(super) has_copied: bool,
}

impl Links {
    pub(super) const fn new() -> Self {
        Self { of: Vec::new(), last_mark: 0, has_copied: false }
    }

    /// Makes sure that there is a link for each of so many slots.
    #[inline]
    pub(super) fn grow(&mut self, slots: usize) {
        if self.of.len() < slots {
            self.of.resize(slots, 0);
        }
    }

    /// Makes sure that so many slots can have links; or says what the heap refused.
    #[inline]
    pub(super) fn try_reserve(&mut self, slots: usize) -> Result<(), Option<Layout>> {
        let more = slots.saturating_sub(self.of.len());
        self.of.try_reserve_exact(more).map_err(|_| Layout::array::<u32>(slots).ok())
    }

    /// To be shared by elements that are lent.
    #[inline]
    pub(super) fn share(&mut self) -> SharedLinks<'_> {
        let of = Cell::from_mut(self.of.as_mut_slice()).as_slice_of_cells();
        SharedLinks { of, last_mark: self.last_mark, has_copied: self.has_copied }
    }

    /// Follows a slot's link back over its last entry. Tells whether the slot has to be as that entry says: no older one since
    /// `start` says otherwise.
    #[inline]
    pub(super) fn follow_back(&mut self, slot: u32, before: u32, start: Position) -> bool {
        self.of[slot as usize] = before;
        position_of(before) < start
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
    has_copied: bool,
}

impl<'a> SharedLinks<'a> {
    /// The link of a slot that is about to be written to, if the log has to remember how it was: this is the first time
    /// since the last mark, which has not copied it.
    #[inline(always)]
    pub(super) fn first_write(&self, slot: u32) -> Option<&'a Cell<u32>> {
        // Without a link there is no log.
        let link = self.of.get(slot as usize)?;
        if self.has_copied {
            link.set(self.last_mark);
            return None;
        }
        if link.get() >= self.last_mark {
            return None;
        }
        Some(link)
    }
}
