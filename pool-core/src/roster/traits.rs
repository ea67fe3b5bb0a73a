//! The common traits of a roster, `Clone` among them.

use core::{fmt, mem};

use crate::base::Guarded;
use crate::roster::directory::Directory;
use crate::roster::word::live_slots;
use crate::roster::{Roster, Store};

impl<T> Default for Roster<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Two rosters are equal if the same handles find equal elements in both.
///
/// So a roster equals its clone, or a roster that was read from its serialised form, for as long as both see the same operations.
/// Vacant, detached and reserved slots, and the dense order, make no difference. Two rosters that were filled apart have different
/// handles (unless both have the same [chosen](Roster::tagged) tag), so they are equal only if both are empty: compare their
/// [`values`](Roster::values).
///
/// # Examples
///
/// ```
/// use typed_pool::Roster;
///
/// let mut roster: Roster<u32> = (1..=3).collect();
/// let copy = roster.clone();
/// assert_eq!(roster, copy);
/// roster.insert(4);
/// assert_ne!(roster, copy);
///
/// let apart: Roster<u32> = (1..=3).collect();
/// assert_ne!(copy, apart);
/// assert!(copy.values().eq(apart.values()));
/// ```
impl<T: PartialEq> PartialEq for Roster<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other)
    }
}

impl<T: Eq> Eq for Roster<T> {}

impl<T> Extend<T> for Roster<T> {
    /// Inserts every element.
    ///
    /// # Panics
    ///
    /// As [`Roster::insert`].
    #[track_caller]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.insert(element);
        }
    }
}

impl<T> FromIterator<T> for Roster<T> {
    /// The first element is in slot 0, the next in slot 1, and so on.
    #[track_caller]
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut roster = Self::new();
        roster.extend(elements);
        roster
    }
}

impl<T: fmt::Debug> fmt::Debug for Roster<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T: Clone> Clone for Roster<T> {
    /// A roster in the same state, with the same handles, generations, dense order and vacant slots. A handle of
    /// one finds the corresponding element in the other. What is detached in one is detached in both.
    ///
    /// # Panics
    ///
    /// If `T::clone` panics; what has been cloned is dropped.
    #[track_caller]
    fn clone(&self) -> Self {
        let mut store = Store::new();
        let grown = store.try_grow(self.capacity());
        grown.unwrap_or_else(|error| self.refused_by_heap(error.0).raise());
        let mut clone = Self::with_config(self.config);
        clone.take_clones(self, store);
        clone
    }

    /// Like [`Clone::clone`], but uses this roster's memory for the elements, if that is enough. This roster's own elements are
    /// dropped first. If `T::clone` panics, this roster is empty and has no memory.
    #[track_caller]
    fn clone_from(&mut self, source: &Self) {
        let capacity = self.capacity();
        // (A last chunk that is no multiple of a granule lets a roster grow no further.)
        let is_whole = capacity % Store::<T>::GRANULE == 0 || capacity == source.config.max;
        let fits = is_whole && (source.capacity()..=source.config.max).contains(&capacity);
        let is_new = source.directory.first_word == 0 || capacity == 0;
        if !fits || is_new || self.config.name != source.config.name {
            *self = source.clone();
            return;
        }
        if Store::<T>::GO_SINGLY {
            self.clear();
        }
        // A panic leaves a new roster, in which every stale handle is still stale.
        let store = mem::replace(&mut self.store, Store::new());
        self.directory = Directory::EMPTY;
        self.publish();
        self.take_clones(source, store);
        self.config = source.config;
        self.publish();
    }
}

impl<T: Clone> Roster<T> {
    /// Takes over the state of `source`, with clones of its elements. `store` has as many slots or more, and no element.
    #[track_caller]
    fn take_clones(&mut self, source: &Self, store: Store<T>) {
        // If the next cannot be made, the clones so far are dropped: those in the first live slots.
        let mut clones = Guarded((store, 0), |(store, count)| {
            for slot in live_slots(source.directory.words()).take(*count) {
                // SAFETY: the slot was filled, and nothing refers to its element.
                drop(unsafe { store.take(slot) });
            }
        });
        let (store, count) = &mut clones.0;
        for (handle, element) in source {
            let clone = element.clone();
            // SAFETY: the new store has all slots of the source, and each is filled once.
            unsafe { store.put(handle.slot(), clone) };
            *count += 1;
        }
        let slots = store.capacity();
        let directory = source.directory.resized(slots);
        let directory = directory.unwrap_or_else(|error| source.refused_by_heap(error.0).raise());
        *count = 0;
        self.store = mem::replace(store, Store::new());
        self.directory = directory;
    }
}
