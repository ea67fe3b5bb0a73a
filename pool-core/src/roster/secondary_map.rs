//! Values beside a roster's elements, known by the same handles.

use core::marker::PhantomData;

use crate::base::handle::Handle;
use crate::roster::secondary_map::pages::{KeyedValue, Pages};

mod access;
mod entry;
mod iter;
mod pages;
#[cfg(feature = "rayon")]
mod rayon;
mod remove;
#[cfg(feature = "serde")]
mod serde;
mod traits;

#[cfg(feature = "rayon")]
pub use self::rayon::{ParIter, ParIterMut, ParValues, ParValuesMut};
pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use iter::{Drain, Handles, IntoIter, Iter, IterMut, Values, ValuesMut};

/// Values keyed by the [`Handle`]s of a [`Roster`](crate::Roster), which need not know of it.
///
/// For what only some systems need, or only some elements have: the path of a walking monster, the physics engine's
/// number of a body. Finding a value reads a table by the handle's slot and a page of values, and compares
/// generation and tag, so a stale handle finds nothing, even if its slot is in use again.
///
/// The map does not notice removals from the roster: the value of a removed element stays until its handle is
/// removed here as well, or a newer handle to the same slot is inserted. To drop all such values:
/// `map.retain(|handle, _| roster.contains(handle))`.
///
/// A map is meant for the handles of one roster. It tells handles of other rosters apart, by their tag, but has one
/// place for each slot number: the last inserted handle gets it.
///
/// Values lie in pages of 256 bytes, or of one larger value, which are allocated only where a value is. Each slot
/// of a page takes 4 bytes and a value, rounded up to the alignment. **The table of pages is as long as the highest
/// slot number**: two words for each page up to it. Rosters use their lowest vacant slot first, so that is about
/// the most elements that were ever live at a time. If few of many elements have a value, a `HashMap<Handle<T>, V>`
/// takes less.
///
/// # Examples
///
/// ```
/// use typed_pool::{Roster, SecondaryMap};
///
/// let mut monsters = Roster::new();
/// let (orc, goblin) = (monsters.insert("orc"), monsters.insert("goblin"));
///
/// let mut poison = SecondaryMap::new();
/// poison.insert(goblin, 3);
/// assert_eq!(poison.get(orc), None);
///
/// monsters.remove(goblin);
/// let troll = monsters.insert("troll"); // in the same slot
/// assert_eq!(poison.get(troll), None);
/// poison.insert(troll, 5);
/// assert_eq!((poison.get(goblin), poison.get(troll)), (None, Some(&5)));
/// ```
#[doc(alias = "SparseSecondaryMap")]
pub struct SecondaryMap<T, V> {
    slots: Pages<V>,
    /// How many of the slots have a value.
    len: usize,
    marker: PhantomData<Handle<T>>,
}

impl<T, V> SecondaryMap<T, V> {
    /// An empty map, which allocates with the first value.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::SecondaryMap;
    ///
    /// let map = SecondaryMap::<String, u32>::new();
    /// assert_eq!((map.len(), map.capacity()), (0, 0));
    /// ```
    pub const fn new() -> Self {
        Self { slots: Pages::new(), len: 0, marker: PhantomData }
    }

    /// A map with room for the handles to the first `slots` slots.
    ///
    /// # Panics
    ///
    /// If the memory for that many exceeds `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<char> = "abc".chars().collect();
    /// let map = SecondaryMap::<char, u32>::with_capacity(roster.capacity());
    /// assert!(map.capacity() >= roster.capacity());
    /// ```
    pub fn with_capacity(slots: usize) -> Self {
        let mut map = Self::new();
        map.reserve(slots);
        map
    }

    /// How many values there are. O(1).
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no value.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// For how many slots, from the first, the table of pages has room. O(1).
    ///
    /// The [reserved](SecondaryMap::reserve) slots have pages as well.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.slots.capacity()
    }

    /// Makes room for the handles to `additional` more slots than the highest that had a value so far.
    ///
    /// # Panics
    ///
    /// If the memory for that many exceeds `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::SecondaryMap;
    ///
    /// let mut map = SecondaryMap::<String, u32>::new();
    /// map.reserve(100);
    /// assert!(map.capacity() >= 100);
    /// ```
    pub fn reserve(&mut self, additional: usize) {
        self.slots.reserve(additional);
    }

    /// Gives pages without a value, and the table above the highest slot that has one, back to the heap. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<usize> = (0..1000).collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, ())).collect();
    /// map.retain(|handle, _| handle.index() < 10);
    /// map.shrink_to_fit();
    /// assert!(map.capacity() < 1000);
    /// ```
    pub fn shrink_to_fit(&mut self) {
        self.slots.shrink_to_fit();
    }

    /// Gives the handle a value, and returns the one that it had. O(1), unless the pool grows up to its slot.
    ///
    /// The value of another handle to the same slot is dropped, since that handle is stale: an older one of the
    /// same roster, or one of a roster with another tag.
    ///
    /// **If the slot has the value of a newer handle, this one is stale, and `value` is dropped.**
    /// [`SecondaryMap::try_insert`] gives it back. So it is with [`Handle::DANGLING`], which is never valid.
    ///
    /// # Panics
    ///
    /// If the table up to the handle's slot exceeds `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let old = roster.insert('a');
    /// let mut map = SecondaryMap::new();
    /// assert_eq!(map.insert(old, 1), None);
    /// assert_eq!(map.insert(old, 2), Some(1));
    ///
    /// roster.remove(old);
    /// let new = roster.insert('b');
    /// assert_eq!(map.insert(new, 3), None);
    /// assert_eq!(map.insert(old, 4), None, "stale");
    /// assert_eq!((map.len(), map[new]), (1, 3));
    /// ```
    pub fn insert(&mut self, handle: Handle<T>, value: V) -> Option<V> {
        self.try_insert(handle, value).unwrap_or(None)
    }

    /// [`SecondaryMap::insert`] that gives the value back if the handle is known to be stale.
    ///
    /// # Errors
    ///
    /// The value, if the slot has one for a newer handle of the same roster, or the handle is [`Handle::DANGLING`].
    ///
    /// # Panics
    ///
    /// If the table up to the handle's slot exceeds `isize::MAX` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let old = roster.insert('a');
    /// roster.remove(old);
    /// let new = roster.insert('b');
    ///
    /// let mut map = SecondaryMap::new();
    /// assert_eq!(map.try_insert(old, 1), Ok(None), "nothing is known of a newer one");
    /// assert_eq!(map.try_insert(new, 2), Ok(None));
    /// assert_eq!(map.try_insert(old, 3), Err(3));
    /// ```
    pub fn try_insert(&mut self, handle: Handle<T>, value: V) -> Result<Option<V>, V> {
        if handle == Handle::DANGLING {
            return Err(value);
        }
        let word = handle.word();
        let slot = self.slots.place(handle.index());
        match slot {
            Some(present) if present.is_newer_than(word) => return Err(value),
            Some(_) => {}
            None => self.len += 1,
        }
        let before = slot.replace(KeyedValue { word, value });
        Ok(before.filter(|before| before.word == word).map(|before| before.value))
    }
}
