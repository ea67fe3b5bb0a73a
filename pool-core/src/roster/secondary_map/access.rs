//! From a handle to its value, and to its place.

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::secondary_map::HandleMap;
use crate::roster::secondary_map::pages::{find_in, find_piece};

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

    /// Several values at once; `None` if one of the handles has none, or comes twice. O(N log N).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let (a, b) = (roster.insert("a"), roster.insert("b"));
    /// let mut map = SecondaryMap::from_iter([(a, 1), (b, 2)]);
    /// if let Some([first, second]) = map.get_disjoint_mut([b, a]) {
    ///     std::mem::swap(first, second);
    /// }
    /// assert_eq!((map[a], map[b]), (2, 1));
    /// assert!(map.get_disjoint_mut([a, a]).is_none());
    /// ```
    #[doc(alias = "get_many_mut")]
    #[must_use]
    pub fn get_disjoint_mut<const N: usize>(
        &mut self,
        handles: [Handle<T>; N],
    ) -> Option<[&mut V; N]> {
        // From the lowest slot to the highest, so that each lies behind those before.
        let mut order: [usize; N] = core::array::from_fn(|i| i);
        order.sort_unstable_by_key(|&i| handles[i]);
        let mut found = [const { None }; N];
        let Self { table, far, .. } = self;
        let in_table = table.len() * Self::SLOTS;
        // What is left of the pages, of the page before them, and where it begins; and the same of the list.
        let (mut pages, mut page, mut start) = (table.iter_mut(), [].iter_mut(), 0);
        let (mut pieces, mut piece) = (far.pieces.iter_mut(), [].iter_mut());
        let mut next_page = 0;
        for i in order {
            let (at, number) = (handles[i].index(), handles[i].index() / Self::SLOTS);
            let (known, value) = if at < in_table {
                if number >= next_page {
                    page = pages.nth(number - next_page)?.slots.iter_mut();
                    (next_page, start) = (number + 1, number * Self::SLOTS);
                }
                // A slot before that is one that has been asked for already.
                let kept = page.nth(at.checked_sub(start)?)?;
                start = at + 1;
                kept.as_mut()?
            } else {
                let mut place = find_in(piece.as_slice(), at);
                if place.is_err() {
                    // It is in a piece further on, or nowhere.
                    piece = pieces.nth(find_piece(pieces.as_slice(), at))?.iter_mut();
                    place = find_in(piece.as_slice(), at);
                }
                piece.nth(place.ok()?)?
            };
            found[i] = Some((*known == handles[i]).then_some(value)?);
        }
        Some(found.map(|value| value.unwrap_or_else(|| unreachable!("every handle was found"))))
    }

    /// Returns the entry for the handle, to look up and insert in one step; `None` if the handle is known to be stale, as in
    /// [`HandleMap::try_insert`], or is [`Handle::DANGLING`]. O(1).
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

    /// Like [`HandleMap::entry`], for an element that is live in `roster` ([`HandleMap::insert_live`]); `None` if the element is
    /// not live. O(1).
    pub fn entry_live(
        &mut self,
        roster: &Roster<T>,
        handle: Handle<T>,
    ) -> Option<Entry<'_, T, V, SPARSE>> {
        if self.make_way(roster, handle) { self.entry(handle) } else { None }
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

impl<'a, T, V, const SPARSE: bool> Entry<'a, T, V, SPARSE> {
    /// The handle whose place this is.
    #[doc(alias = "key")]
    #[must_use]
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

    /// The value; inserts the result of `f` if there is none.
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
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// The value.
    #[must_use]
    pub fn get(&self) -> &V {
        &self.map[self.handle]
    }

    /// The value, exclusively.
    #[must_use]
    pub fn get_mut(&mut self) -> &mut V {
        &mut self.map[self.handle]
    }

    /// The value, exclusively, for as long as the map is borrowed.
    #[must_use]
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
    #[must_use]
    pub fn remove(self) -> V {
        self.map.remove(self.handle).expect("the entry is occupied")
    }
}

impl<'a, T, V, const SPARSE: bool> VacantEntry<'a, T, V, SPARSE> {
    /// The handle that has no value.
    #[doc(alias = "key")]
    #[must_use]
    pub fn handle(&self) -> Handle<T> {
        self.handle
    }

    /// Gives the handle a value. The value of another handle to the slot is dropped ([`HandleMap::insert`]).
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
