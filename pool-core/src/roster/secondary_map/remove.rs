//! Removing values: one, some, all.

use crate::base::handle::Handle;
use crate::roster::secondary_map::SecondaryMap;
use crate::roster::secondary_map::pages::KeyedValue;

impl<T, V> SecondaryMap<T, V> {
    /// Takes the handle's value out. O(1).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster = Roster::new();
    /// let handle = roster.insert("orc");
    /// let mut map = SecondaryMap::from_iter([(handle, 1)]);
    /// assert_eq!(map.remove(handle), Some(1));
    /// assert_eq!(map.remove(handle), None);
    /// ```
    pub fn remove(&mut self, handle: Handle<T>) -> Option<V> {
        if !self.contains(handle) {
            return None;
        }
        self.take(handle.index()).map(|(_, value)| value)
    }

    /// Takes the value of this slot out, if it has one.
    pub(super) fn take(&mut self, at: usize) -> Option<(Handle<T>, V)> {
        let KeyedValue { word, value } = self.slots.get_mut(at)?.take()?;
        self.len -= 1;
        Some((Handle::new(at as u32, word), value))
    }

    /// Removes every value for which `keep` returns `false`, in the order of slots. O(slots).
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics. What was removed before stays removed, and the rest stays in place.
    ///
    /// # Examples
    ///
    /// To drop the values of elements that are gone:
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster: Roster<usize> = (0..10).collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, "path")).collect();
    /// roster.retain(|_, n| *n < 3);
    /// map.retain(|handle, _| roster.contains(handle));
    /// assert_eq!(map.len(), 3);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut V) -> bool) {
        let mut next = 0;
        while let Some(at) = self.slots.occupied_from(next) {
            next = at + 1;
            let Some(Some(slot)) = self.slots.get_mut(at) else { continue };
            if !keep(Handle::new(at as u32, slot.word), &mut slot.value) {
                // Counted before it is dropped, which may panic.
                drop(self.take(at));
            }
        }
    }

    /// Removes every value; the memory is kept. O(slots).
    ///
    /// # Panics
    ///
    /// If a destructor panics; the map is empty all the same.
    pub fn clear(&mut self) {
        self.len = 0;
        self.slots.clear();
    }
}
