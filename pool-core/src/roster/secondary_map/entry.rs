//! The place of a handle's value, occupied or vacant.

use core::fmt;

use crate::base::handle::Handle;
use crate::roster::secondary_map::HandleMap;

/// From [`HandleMap::entry`]: the place of a handle's value.
#[derive(Debug)]
pub enum Entry<'a, T, V, const SPARSE: bool = false> {
    /// The handle has a value.
    Occupied(OccupiedEntry<'a, T, V, SPARSE>),
    /// It has none.
    Vacant(VacantEntry<'a, T, V, SPARSE>),
}

/// In an [`Entry`]: the handle has a value.
pub struct OccupiedEntry<'a, T, V, const SPARSE: bool = false> {
    map: &'a mut HandleMap<T, V, SPARSE>,
    handle: Handle<T>,
}

/// In an [`Entry`]: the handle has no value.
pub struct VacantEntry<'a, T, V, const SPARSE: bool = false> {
    /// Has no value for a newer handle.
    map: &'a mut HandleMap<T, V, SPARSE>,
    handle: Handle<T>,
}

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// The place of the handle's value, to look and insert in one go; `None` if the handle is known to
    /// be stale, as in [`HandleMap::try_insert`], or is [`Handle::DANGLING`]. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let goblin = roster.insert("goblin");
    /// let mut wounds = SecondaryMap::new();
    /// for damage in [3, 4] {
    ///     if let Some(entry) = wounds.entry(goblin) {
    ///         *entry.or_insert(0) += damage;
    ///     }
    /// }
    /// assert_eq!(wounds[goblin], 7);
    /// ```
    pub fn entry(&mut self, handle: Handle<T>) -> Option<Entry<'_, T, V, SPARSE>> {
        if self.contains(handle) {
            Some(Entry::Occupied(OccupiedEntry { map: self, handle }))
        } else if self.is_stale(handle) {
            None
        } else {
            Some(Entry::Vacant(VacantEntry { map: self, handle }))
        }
    }
}

impl<'a, T, V, const SPARSE: bool> Entry<'a, T, V, SPARSE> {
    /// The handle whose place this is.
    #[doc(alias = "key")]
    pub fn handle(&self) -> Handle<T> {
        match self {
            Self::Occupied(entry) => entry.handle,
            Self::Vacant(entry) => entry.handle,
        }
    }

    /// Changes the value, if there is one.
    pub fn and_modify(mut self, f: impl FnOnce(&mut V)) -> Self {
        if let Self::Occupied(entry) = &mut self {
            f(entry.get_mut());
        }
        self
    }

    /// The value; inserts `value` if there is none.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; inserts what `f` returns if there is none.
    ///
    /// # Panics
    ///
    /// If `f` panics; the map is as it was.
    pub fn or_insert_with(self, f: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Self::Occupied(entry) => entry.into_mut(),
            Self::Vacant(entry) => entry.insert(f()),
        }
    }

    /// The value; inserts the default if there is none.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<'a, T, V, const SPARSE: bool> OccupiedEntry<'a, T, V, SPARSE> {
    /// The handle whose value this is.
    #[doc(alias = "key")]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// The value.
    pub fn get(&self) -> &V {
        &self.map[self.handle]
    }

    /// The value, exclusively.
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map[self.handle]
    }

    /// The value, exclusively, for as long as the map is borrowed.
    pub fn into_mut(self) -> &'a mut V {
        &mut self.map[self.handle]
    }

    /// Replaces the value; returns the old one.
    pub fn insert(&mut self, value: V) -> V {
        core::mem::replace(self.get_mut(), value)
    }

    /// Takes the value out.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::secondary_map::Entry;
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let goblin = roster.insert("goblin");
    /// let mut fuses = SecondaryMap::from_iter([(goblin, 1)]);
    /// if let Some(Entry::Occupied(fuse)) = fuses.entry(goblin) {
    ///     if *fuse.get() <= 1 {
    ///         fuse.remove();
    ///     }
    /// }
    /// assert!(fuses.is_empty());
    /// ```
    pub fn remove(self) -> V {
        self.map.remove(self.handle).expect("the entry is occupied")
    }
}

impl<'a, T, V, const SPARSE: bool> VacantEntry<'a, T, V, SPARSE> {
    /// The handle that has no value.
    #[doc(alias = "key")]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// Gives the handle a value. The value of another handle to the slot is dropped ([`HandleMap::insert`]).
    ///
    /// # Panics
    ///
    /// If the table up to the handle's slot exceeds `isize::MAX` bytes.
    pub fn insert(self, value: V) -> &'a mut V {
        self.map.insert(self.handle, value);
        &mut self.map[self.handle]
    }
}

impl<T, V: fmt::Debug, const SPARSE: bool> fmt::Debug for OccupiedEntry<'_, T, V, SPARSE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut entry = f.debug_struct("OccupiedEntry");
        entry.field("handle", &self.handle).field("value", self.get()).finish()
    }
}

impl<T, V, const SPARSE: bool> fmt::Debug for VacantEntry<'_, T, V, SPARSE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VacantEntry").field("handle", &self.handle).finish()
    }
}
