//! The common traits of a map.

use core::fmt;
use core::marker::PhantomData;

use crate::base::handle::Handle;
use crate::roster::secondary_map::HandleMap;

impl<T, V, const SPARSE: bool> Default for HandleMap<T, V, SPARSE> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, V: Clone, const SPARSE: bool> Clone for HandleMap<T, V, SPARSE> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), marker: PhantomData }
    }
}

/// Two maps are equal if they have equal values for the same handles.
impl<T, V: PartialEq, const SPARSE: bool> PartialEq for HandleMap<T, V, SPARSE> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T, V: Eq, const SPARSE: bool> Eq for HandleMap<T, V, SPARSE> {}

impl<T, V: fmt::Debug, const SPARSE: bool> fmt::Debug for HandleMap<T, V, SPARSE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T, V, const SPARSE: bool> Extend<(Handle<T>, V)> for HandleMap<T, V, SPARSE> {
    /// [Inserts](HandleMap::insert) every value, in turn.
    fn extend<I: IntoIterator<Item = (Handle<T>, V)>>(&mut self, pairs: I) {
        pairs.into_iter().for_each(|(handle, value)| {
            self.insert(handle, value);
        });
    }
}

impl<T, V, const SPARSE: bool> FromIterator<(Handle<T>, V)> for HandleMap<T, V, SPARSE> {
    fn from_iter<I: IntoIterator<Item = (Handle<T>, V)>>(pairs: I) -> Self {
        let mut map = Self::new();
        map.extend(pairs);
        map
    }
}
