//! The common traits of a map.

use core::fmt;
use core::marker::PhantomData;

use crate::base::handle::Handle;
use crate::roster::secondary_map::SecondaryMap;

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

/// Two maps are equal if they have equal values for the same handles.
impl<T, V: PartialEq> PartialEq for SecondaryMap<T, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T, V: Eq> Eq for SecondaryMap<T, V> {}

impl<T, V: fmt::Debug> fmt::Debug for SecondaryMap<T, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
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
