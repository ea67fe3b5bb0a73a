//! From a handle to its value, and to its place.

use core::ops::{Index, IndexMut};

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::secondary_map::HandleMap;

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
    /// Whether this very handle has a value. O(1).
    #[doc(alias = "contains_key")]
    #[inline]
    #[must_use]
    pub fn contains(&self, handle: Handle<T>) -> bool {
        self.get(handle).is_some()
    }

    /// The handle's value. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert_eq!(map.get(handle), Some(&1));
    /// ```
    #[inline]
    #[must_use]
    pub fn get(&self, handle: Handle<T>) -> Option<&V> {
        let (known, value) = self.kept(handle.index())?;
        // By halves, as they lie in memory: handles are compared as one number, which has to be put together.
        (known.raw() == handle.raw()).then_some(value)
    }

    /// The handle's value, exclusively. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let mut map = SecondaryMap::from_iter([(handle, 1)]);
    /// if let Some(value) = map.get_mut(handle) {
    ///     *value += 1;
    /// }
    /// assert_eq!(map[handle], 2);
    /// ```
    #[inline]
    #[must_use]
    pub fn get_mut(&mut self, handle: Handle<T>) -> Option<&mut V> {
        let (known, value) = self.kept_mut(handle.index())?;
        (known.raw() == handle.raw()).then_some(value)
    }

    /// The handle's value, exclusively; inserts the result of `f` if it has none. `None` if the handle is known to be stale, as in
    /// [`HandleMap::try_insert`], or is [`Handle::DANGLING`]; then `f` is not called. O(1).
    ///
    /// # Panics
    ///
    /// If `f` panics; the map is as it was.
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
    ///     if let Some(sum) = wounds.get_or_insert_with(goblin, || 0) {
    ///         *sum += damage;
    ///     }
    /// }
    /// assert_eq!(wounds[goblin], 7);
    /// ```
    #[doc(alias = "entry")]
    pub fn get_or_insert_with(
        &mut self,
        handle: Handle<T>,
        f: impl FnOnce() -> V,
    ) -> Option<&mut V> {
        if !self.contains(handle) {
            if self.is_stale(handle) {
                return None;
            }
            self.insert(handle, f());
        }
        self.get_mut(handle)
    }

    /// Like [`HandleMap::get_or_insert_with`], for an element that is live in `roster` ([`HandleMap::insert_live`]); `None` if the
    /// element is not live. O(1).
    ///
    /// # Panics
    ///
    /// If `f` panics; what the slot had for another element is gone.
    pub fn get_or_insert_live_with(
        &mut self,
        roster: &Roster<T>,
        handle: Handle<T>,
        f: impl FnOnce() -> V,
    ) -> Option<&mut V> {
        if self.make_way(roster, handle) { self.get_or_insert_with(handle, f) } else { None }
    }

    /// Panics with the reason why a handle has no value.
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn absent(&self, handle: Handle<T>) -> ! {
        let (index, generation) = (handle.index(), handle.generation());
        let reason = match self.kept(index) {
            _ if handle == Handle::DANGLING => "is `Handle::DANGLING`",
            _ if self.is_stale(handle) => "is stale: the slot has the value of a newer one",
            Some(_) => "has none: the slot has the value of another handle",
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

impl<T, V, const SPARSE: bool> Index<Handle<T>> for HandleMap<T, V, SPARSE> {
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

impl<T, V, const SPARSE: bool> IndexMut<Handle<T>> for HandleMap<T, V, SPARSE> {
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
        self.get_mut(handle).expect("it has just been found")
    }
}
