//! The common traits of a map.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use super::SecondaryMap;
use crate::handle::Handle;

impl<T, V> SecondaryMap<T, V> {
    /// Says why there is nothing to be had for a handle.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn absent(&self, handle: Handle<T>) -> ! {
        let (index, generation) = (handle.index(), handle.generation());
        let reason = match self.slots.get(index) {
            Some(Some(slot)) if slot.is_newer_than(handle.word()) => {
                "is stale: the slot has the value of a newer one"
            }
            Some(Some(_)) => "has none: the slot has the value of another handle",
            _ => "has none: it was never inserted, or has been removed",
        };
        panic!(
            "no value in the secondary map of `{}`: the handle to a `{}` (slot {index}, generation \
             {generation}) {reason}; `get` returns an `Option`",
            core::any::type_name::<V>(),
            core::any::type_name::<T>()
        )
    }
}

impl<T, V> Index<Handle<T>> for SecondaryMap<T, V> {
    type Output = V;

    /// The handle's value.
    ///
    /// # Panics
    ///
    /// If the handle has none.
    #[inline]
    #[track_caller]
    fn index(&self, handle: Handle<T>) -> &V {
        match self.get(handle) {
            Some(value) => value,
            None => self.absent(handle),
        }
    }
}

impl<T, V> IndexMut<Handle<T>> for SecondaryMap<T, V> {
    /// The handle's value.
    ///
    /// # Panics
    ///
    /// If the handle has none.
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, handle: Handle<T>) -> &mut V {
        if !self.contains(handle) {
            self.absent(handle);
        }
        &mut self.slot_mut(handle).expect("it has just been found").value
    }
}

impl<T, V> Default for SecondaryMap<T, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, V: Clone> Clone for SecondaryMap<T, V> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), len: self.len, marker: PhantomData }
    }
}

/// Equal are maps of equal values for the same handles.
impl<T, V: PartialEq> PartialEq for SecondaryMap<T, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T, V: Eq> Eq for SecondaryMap<T, V> {}

impl<T, V: fmt::Debug> fmt::Debug for SecondaryMap<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter().map(|(handle, value)| (handle.to_bits(), value))).finish()
    }
}

impl<T, V> Extend<(Handle<T>, V)> for SecondaryMap<T, V> {
    /// [Inserts](SecondaryMap::insert) every value, in turn.
    fn extend<I: IntoIterator<Item = (Handle<T>, V)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(handle, value)| {
            self.insert(handle, value);
        });
    }
}

impl<T, V> FromIterator<(Handle<T>, V)> for SecondaryMap<T, V> {
    fn from_iter<I: IntoIterator<Item = (Handle<T>, V)>>(pairs: I) -> Self {
        let mut map = Self::new();
        map.extend(pairs);
        map
    }
}
