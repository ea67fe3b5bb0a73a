//! Slots that are put back as they were.

use alloc::vec::Vec;
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

/// What all slots are.
pub(crate) struct SlotStates {
    words: Vec<u32>,
    occupied: Vec<u64>,
    /// The word of a slot that is newer.
    first: u32,
}

impl SlotStates {
    pub(crate) const fn new() -> Self {
        Self { words: Vec::new(), occupied: Vec::new(), first: 0 }
    }

    /// What a slot is; if it is newer, one that was never used.
    #[inline]
    pub(crate) fn get(&self, slot: usize) -> SlotState {
        let word = self.words.get(slot).copied().unwrap_or(self.first);
        let occupied = self.occupied.get(slot / 64).copied().unwrap_or(0);
        SlotState { word, is_occupied: (occupied >> (slot % 64)) & 1 != 0 }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<u32>() + self.occupied.capacity() * size_of::<u64>()
    }
}

impl Directory {
    /// Notes what all slots are; `first` is the word of those that were never used.
    pub(in crate::roster) fn copy_states(&self, first: u32, states: &mut SlotStates) {
        states.words.clone_from(&self.words);
        states.occupied.clear();
        states.occupied.extend_from_slice(self.occupancy.words());
        states.first = first;
    }

    pub(in crate::roster) fn state(&self, at: usize) -> SlotState {
        SlotState { word: self.words[at], is_occupied: !self.occupancy.is_vacant(at) }
    }

    /// Puts a slot that exists into another state. Dense indices are not touched.
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
    fn count(&mut self, state: SlotState, comes: bool) {
        let change = if comes { 1 } else { usize::MAX };
        let (count, change) = match state.word {
            _ if !state.is_occupied => return,
            _ if state.is_live() && comes => (&mut self.inserted, 1),
            _ if state.is_live() => (&mut self.removed, 1),
            0 => (&mut self.retired, change),
            _ => (&mut self.reserved, change),
        };
        *count = count.wrapping_add(change);
    }

    /// Undoes what happened to dense indices, the last first: `None` for an element that has come, and the slot and the
    /// place of one that went. All slots are still as they were after the last.
    pub(in crate::roster) fn undo_dense(&mut self, undo: impl Iterator<Item = Option<(u32, u32)>>) {
        let mut count = self.len();
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
