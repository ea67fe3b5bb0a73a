//! A second roster of the same elements.

use core::mem;
use core::ptr;

use crate::base::ledger::RosterAccount;
use crate::base::watch::sites::Line;
use crate::roster::word::live_slots;
use crate::roster::{Roster, Store};

impl<T: Clone> Clone for Roster<T> {
    /// A roster in the same state, with the same handles, generations, dense indices and vacant slots. A handle of
    /// one finds the corresponding element in the other. What is detached in one is detached in both.
    ///
    /// # Panics
    ///
    /// If `T::clone` panics; what has been cloned is dropped.
    #[cfg_attr(feature = "sites", track_caller)]
    fn clone(&self) -> Self {
        let mut clones =
            Clones::<T> { store: Store::new(), words: self.directory.words(), count: 0 };
        if self.capacity() > 0 {
            let grown = clones.store.try_grow(self.capacity());
            grown.unwrap_or_else(|error| self.no_room(error));
        }
        let line = Line::of_caller();
        for slot in live_slots(self.directory.words()) {
            // SAFETY: a slot that is live exists.
            let element = unsafe { self.store.slot(slot) };
            // SAFETY: it holds an element.
            let clone = unsafe { &*element }.clone();
            // SAFETY: the new store has as many slots, and each is filled once.
            let place = unsafe { clones.store.occupy(slot, line) };
            // SAFETY: the slot is empty.
            unsafe { place.write(clone) };
            clones.count += 1;
        }
        clones.count = 0;
        Self {
            store: mem::replace(&mut clones.store, Store::new()),
            directory: self.directory.clone(),
            config: self.config,
            first_word: self.first_word,
            // A clone is another roster.
            account: RosterAccount::NONE,
        }
    }
}

/// The clones so far, which are dropped if the next cannot be made.
struct Clones<'a, T> {
    store: Store<T>,
    words: &'a [u32],
    /// How many of the live slots are filled.
    count: usize,
}

impl<T> Drop for Clones<'_, T> {
    fn drop(&mut self) {
        for slot in live_slots(self.words).take(self.count) {
            // SAFETY: a slot that was filled exists.
            let clone = unsafe { self.store.slot(slot) };
            // SAFETY: nothing else refers to the element.
            unsafe { ptr::drop_in_place(clone) };
            // SAFETY: the slot was filled, and its element has been dropped.
            unsafe { self.store.leave(slot) };
        }
    }
}
