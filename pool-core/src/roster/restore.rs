//! Slots that are put back as they were, for `rewind`.
//!
//! These functions are safe, because they check what they are told: whatever a caller remembers wrongly, no slot is
//! live without an element, and no element lies in a slot that is not live.

use core::slice;

use crate::base::handle::Handle;
use crate::base::stats::PoolStats;
use crate::base::watch::sites::Line;
use crate::roster::Roster;
use crate::roster::directory::{SlotState, SlotStates};
use crate::roster::iter::HandlesBySlot;
use crate::roster::walk::{Cursor, LiveSlots};

impl<T> Roster<T> {
    /// What a slot is, except for its element. For tests.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    #[cfg(test)]
    pub(crate) fn slot_state(&self, slot: u32) -> SlotState {
        self.directory.state(slot as usize)
    }

    /// Whether the handle's element is detached.
    pub(crate) fn is_detached(&self, handle: Handle<T>) -> bool {
        self.directory.is_reserved(handle.raw())
    }

    /// An element, and what tells handles while it is lent.
    pub(crate) fn lend(&mut self, handle: Handle<T>) -> Option<(&mut T, HandlesBySlot<'_>)> {
        if !self.contains(handle) {
            return None;
        }
        // SAFETY: a slot that is live exists.
        let element = unsafe { self.store.slot(handle.slot()) };
        // SAFETY: it holds an element, and `self` is borrowed for as long as the reference lasts.
        Some((unsafe { &mut *element }, HandlesBySlot(self.directory.words())))
    }

    /// Makes a slot what it was, with the element that it had, and returns the element that is there now. Dense indices
    /// are not touched ([`Roster::restore_dense`] comes before), and [`Roster::end_restore`] must follow.
    ///
    /// # Panics
    ///
    /// If there is no such slot, or `state` and `element` do not agree. Nothing has changed then.
    pub(crate) fn restore_slot(
        &mut self,
        slot: u32,
        state: SlotState,
        element: Option<T>,
        line: Line,
    ) -> Option<T> {
        assert!((slot as usize) < self.capacity() && state.is_live() == element.is_some());
        self.store.try_fill(slot as usize).unwrap_or_else(|error| self.no_room(error));
        let live = self.handle_of_slot(slot);
        self.directory.put_back(slot as usize, state);
        // SAFETY: the slot was live until now.
        let before = live.map(|handle| unsafe { self.take_out(handle) });
        if let Some(element) = element {
            // SAFETY: the slot exists, and holds no element: its last was just taken out.
            let place = unsafe { self.store.occupy(slot, line) };
            // SAFETY: as above, and it has memory.
            unsafe { place.write(element) };
        }
        before
    }

    /// Shows all elements, in the order of slots: those between which there is no gap as one slice.
    pub(crate) fn for_each_run(&self, mut see: impl FnMut(&[T])) {
        let mut cursor = Cursor::new(&self.directory, &self.store);
        while cursor.advance(&self.directory, &self.store) {
            while let Some((first, count)) = cursor.pass_neighbours() {
                // SAFETY: these slots lie in one piece and are live, and `self` is borrowed.
                see(unsafe { slice::from_raw_parts(first, count) });
            }
        }
    }

    /// Notes what all slots are.
    pub(crate) fn copy_states(&self, states: &mut SlotStates) {
        self.directory.copy_states(self.first_word, states);
    }

    /// To be called once all slots are as they were.
    pub(crate) fn end_restore(&mut self) {
        self.close();
        self.note();
    }

    /// Tells those who ask what the figures are now, with those of a log.
    pub(crate) fn note_with_log(&mut self, log_bytes: usize) {
        if self.account.is_open() {
            let stats = self.stats();
            let stats = PoolStats { bytes: stats.bytes + log_bytes, log_bytes, ..stats };
            self.account.with(|account| account.note(&stats));
        }
    }

    /// Whether changes of dense indices have to be remembered.
    #[inline]
    pub(crate) fn keeps_dense(&mut self) -> bool {
        self.directory.keeps_dense()
    }

    /// Undoes what happened to dense indices, the last first: `None` for an element that has come, and the slot and the
    /// place of one that went. To be called before any slot is put back. If none were kept in the end (`undo` is
    /// `None`), they are forgotten.
    pub(crate) fn restore_dense(&mut self, undo: Option<impl Iterator<Item = Option<(u32, u32)>>>) {
        match undo {
            Some(undo) => self.directory.undo_dense(undo),
            None => self.directory.forget_dense(),
        }
    }
}

/// The handles of the live elements in turn. It borrows nothing: elements that were passed may go meanwhile.
pub(crate) struct LiveHandles(LiveSlots);

impl LiveHandles {
    pub(crate) fn new() -> Self {
        Self(LiveSlots::new())
    }

    pub(crate) fn next<T>(&mut self, roster: &Roster<T>) -> Option<Handle<T>> {
        roster.handle_of_slot(self.0.next(&roster.directory)?)
    }
}
