//! Slots that are put back as they were, for `rewind` and saved rosters.
//!
//! The functions that a roster lends to them are safe, because they check their arguments: whatever a caller remembers wrongly, no slot is
//! live without an element, and no element lies in a slot that is not live.

use core::slice;

use crate::base::handle::{Handle, is_of_handle};
use crate::roster::Roster;
use crate::roster::directory::Directory;
use crate::roster::walk::Cursor;
use crate::roster::word::vacant_word;

/// The state of a slot, except for its element: its word, and whether it is occupied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotState {
    word: u32,
    is_occupied: bool,
}

impl Directory {
    #[inline]
    pub(in crate::roster) fn state(&self, at: usize) -> SlotState {
        SlotState { word: self.words[at], is_occupied: self.occupancy.is_occupied(at) }
    }

    /// Puts a slot that exists into another state. A dense order, if one is kept, has the slot as it will be.
    #[inline]
    pub(in crate::roster) fn put_back(&mut self, at: usize, state: SlotState) {
        let before = self.state(at);
        self.count(before, false);
        self.count(state, true);
        self.words[at] = state.word;
        if !before.is_occupied && state.is_occupied {
            self.occupancy.occupy(at);
        }
        if before.is_occupied && !state.is_occupied {
            // SAFETY: the slot exists, since it has a state.
            unsafe { self.occupancy.release(at) };
        }
    }

    /// Counts a slot of this state that comes, or goes.
    #[inline]
    fn count(&mut self, state: SlotState, comes: bool) {
        let change = if comes { 1 } else { usize::MAX };
        let (count, change) = match state.word {
            _ if !state.is_occupied => return,
            _ if is_of_handle(state.word) && comes => (&mut self.inserted, 1),
            _ if is_of_handle(state.word) => (&mut self.removed, 1),
            0 => (&mut self.retired, change),
            _ => (&mut self.reserved, change),
        };
        *count = count.wrapping_add(change);
    }
}

impl<T> Roster<T> {
    /// Whether the handle's element is detached.
    pub(crate) fn is_detached(&self, handle: Handle<T>) -> bool {
        self.directory.is_reserved(handle.raw())
    }

    /// Makes the handle's slot what it was, with the element that it had, or vacant, so that the next element there has this handle. Returns
    /// the element that is there now. A dense order, if one is kept, has the slot as it will be.
    ///
    /// # Panics
    ///
    /// If there is no such slot. Nothing has changed then.
    #[track_caller]
    pub(crate) fn restore_slot(&mut self, handle: Handle<T>, element: Option<T>) -> Option<T> {
        let (slot, is_occupied) = (handle.slot(), element.is_some());
        assert!((slot as usize) < self.capacity());
        let vacant = vacant_word(handle.word());
        let word = if is_occupied { vacant | 1 } else { vacant };
        let live = self.handle_of_slot(slot);
        self.directory.put_back(slot as usize, SlotState { word, is_occupied });
        // SAFETY: the slot was live until now.
        let before = live.map(|handle| unsafe { self.store.take(handle.slot()) });
        if let Some(element) = element {
            // SAFETY: the slot exists, and its last element was just taken out.
            unsafe { self.store.put(slot, element) };
        }
        before
    }

    /// Makes the handle's slot one whose element is detached. Returns the element that is there now.
    ///
    /// # Panics
    ///
    /// If there is no such slot.
    #[track_caller]
    pub(crate) fn restore_detached(&mut self, handle: Handle<T>) -> Option<T> {
        let before = self.restore_slot(handle, None);
        let state = SlotState { word: vacant_word(handle.word()), is_occupied: true };
        self.directory.put_back(handle.index(), state);
        before
    }

    /// Shows all elements, in the order of slots: those between which there is no gap as one slice.
    pub(crate) fn for_each_run(&self, mut see: impl FnMut(&[T])) {
        let mut cursor = Cursor::new(&self.directory);
        while cursor.advance(&self.directory, &self.store) {
            while let Some((first, count)) = cursor.pass_neighbours() {
                // SAFETY: these slots lie in one piece and are live, and `self` is borrowed.
                see(unsafe { slice::from_raw_parts(first, count) });
            }
        }
    }

    /// Returns the words of all slots.
    pub(crate) fn words(&self) -> &[u32] {
        self.directory.words()
    }
}
