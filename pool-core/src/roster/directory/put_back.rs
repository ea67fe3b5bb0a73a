//! Slots that are put back as they were.

use core::num::NonZeroU32;

use crate::base::handle::Handle;
use crate::roster::directory::Directory;
use crate::roster::word::{is_live, vacant_word};

/// What a slot is, except for its element: its word, and whether it is occupied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SlotState {
    word: u32,
    is_occupied: bool,
}

impl SlotState {
    /// The element with this handle is live.
    #[inline]
    pub(crate) fn live<T>(handle: Handle<T>) -> Self {
        Self { word: handle.word().get(), is_occupied: true }
    }

    /// The slot is vacant, and the next element there has this handle.
    #[inline]
    pub(crate) fn vacant<T>(handle: Handle<T>) -> Self {
        Self { word: vacant_word(handle.word()), is_occupied: false }
    }

    /// The element with this handle is detached.
    pub(crate) fn detached<T>(handle: Handle<T>) -> Self {
        Self { word: vacant_word(handle.word()), is_occupied: true }
    }

    /// The handle of the element that is live in this slot.
    #[inline]
    pub(crate) fn handle<T>(self, slot: u32) -> Option<Handle<T>> {
        let word = NonZeroU32::new(self.word)?;
        self.is_live().then(|| Handle::new(slot, word))
    }

    #[inline]
    pub(crate) fn is_live(self) -> bool {
        is_live(self.word)
    }
}

impl Directory {
    pub(in crate::roster) fn state(&self, at: usize) -> SlotState {
        SlotState { word: self.words[at], is_occupied: !self.occupancy.is_vacant(at) }
    }

    /// Puts a slot that exists into another state. Dense indices are not touched.
    pub(in crate::roster) fn put_back(&mut self, at: usize, state: SlotState) {
        let before = self.state(at);
        *self.count_of(before) -= usize::from(before.is_occupied);
        *self.count_of(state) += usize::from(state.is_occupied);
        self.words[at] = state.word;
        if !before.is_occupied && state.is_occupied {
            self.occupancy.occupy(at);
        }
        if before.is_occupied && !state.is_occupied {
            // SAFETY: the slot exists, since it has a state.
            unsafe { self.occupancy.release(at) };
        }
    }

    /// Where occupied slots of this state are counted.
    fn count_of(&mut self, state: SlotState) -> &mut usize {
        match state.word {
            _ if state.is_live() => &mut self.len,
            0 => &mut self.retired,
            _ => &mut self.reserved,
        }
    }

    pub(in crate::roster) fn keeps_dense(&mut self) -> bool {
        self.dense.is_kept()
    }

    /// Undoes what happened to dense indices, the last first: `None` for an element that has come, and the slot and the
    /// place of one that went. All slots are still as they were after the last.
    pub(in crate::roster) fn undo_dense(&mut self, undo: impl Iterator<Item = Option<(u32, u32)>>) {
        let mut count = self.len;
        for undone in undo {
            match undone {
                None => count -= 1,
                Some((slot, place)) => {
                    self.dense.undo_remove(slot, place as usize, count);
                    count += 1;
                }
            }
        }
    }

    /// Forgets the dense indices, as if none had been requested.
    pub(in crate::roster) fn forget_dense(&mut self) {
        self.dense.forget();
    }
}
