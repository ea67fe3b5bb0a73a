//! The tables of a dense order: the live slots in a list without gaps.
//!
//! The two tables come from the swap-delete design (T. Cohen, Insomniac Games, 2010; M. Labbe, 2023): a list of the live
//! slots, and the place of each there. One is taken out by moving the last into its place. Keeping the tables makes
//! a removal 2.8 times as expensive (`docs/decisions/roster.md`), so they are made when the order is first requested.

use crate::memory::heap::PoolVec;
use crate::roster::store::{NoRoom, copy_with_room};

/// The tables of a dense order, if it is kept.
pub(super) struct OrderTables {
    /// Whether insertions and removals are to be noted here.
    pub(super) is_kept: bool,
    /// The live slot at each place, with room for all slots.
    pub(super) slots: PoolVec<u32>,
    /// The place of each live slot, and any number for the others.
    pub(super) places: PoolVec<u32>,
}

impl OrderTables {
    /// No order, and no memory.
    pub(super) const NONE: Self =
        Self { is_kept: false, slots: PoolVec::new(), places: PoolVec::new() };

    /// The order of these live slots, of so many; an error if the heap has no room.
    pub(super) fn of(live: impl Iterator<Item = u32>, slots: usize) -> Result<Self, NoRoom> {
        let mut order = Self { is_kept: true, ..Self::NONE }.resized(slots)?;
        live.for_each(|slot| order.insert(slot));
        Ok(order)
    }

    /// The same for so many slots, among them all that are live; an error if the heap has no room.
    #[inline]
    pub(super) fn resized(&self, slots: usize) -> Result<Self, NoRoom> {
        if !self.is_kept {
            return Ok(Self::NONE);
        }
        let known = &self.places[..slots.min(self.places.len())];
        let mut places = copy_with_room(known, slots)?;
        places.resize(slots, 0);
        Ok(Self { is_kept: true, slots: copy_with_room(&self.slots, slots)?, places })
    }

    /// Notes that a slot has become live: it comes last.
    #[inline]
    pub(super) fn insert(&mut self, slot: u32) {
        self.places[slot as usize] = self.slots.len() as u32;
        self.slots.push(slot);
    }

    /// Notes that a slot is no longer live: the last takes its place.
    #[cold]
    #[inline(never)]
    pub(super) extern "C" fn remove(&mut self, slot: usize) {
        let place = self.places[slot];
        self.slots.swap_remove(place as usize);
        if let Some(&moved) = self.slots.get(place as usize) {
            self.places[moved as usize] = place;
        }
    }

    /// Heap bytes held.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.places.capacity()) * size_of::<u32>()
    }
}
