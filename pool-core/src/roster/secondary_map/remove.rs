//! Removal: of one value, of some, of all, and of those whose elements are dead.

use crate::base::handle::Handle;
use crate::roster::Roster;
use crate::roster::secondary_map::HandleMap;
use crate::roster::secondary_map::pages::{Keyed, Page, Pages};

impl<T, V, const SPARSE: bool> HandleMap<T, V, SPARSE> {
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
        self.slots.remove(handle.raw())
    }

    /// Removes every value for which `keep` returns `false`, in the order of slots. O(slots). For those whose elements are
    /// gone: [`HandleMap::tidy`].
    ///
    /// # Panics
    ///
    /// If `keep` or a destructor panics. What was removed before stays removed, and the rest stays in place.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let roster: Roster<usize> = (0..10).collect();
    /// let mut map: SecondaryMap<_, _> = roster.iter().map(|(handle, n)| (handle, n * 2)).collect();
    /// map.retain(|_, value| *value < 6);
    /// assert_eq!(map.len(), 3);
    /// ```
    pub fn retain(&mut self, mut keep: impl FnMut(Handle<T>, &mut V) -> bool) {
        let Pages { table, far, len } = &mut self.slots;
        let mut is_dead = |(entry, value): &mut Keyed<V>| {
            let is_dead = !keep(Handle::new(entry.0, entry.1), value);
            // Counted before it is dropped, which may panic.
            *len -= usize::from(is_dead);
            is_dead
        };
        for Page { slots, live } in table.iter_mut().filter(|page| page.live > 0) {
            for slot in slots.iter_mut() {
                let dead = slot.take_if(&mut is_dead);
                *live -= usize::from(dead.is_some());
                drop(dead);
            }
        }
        let (mut piece, mut place) = (0, 0);
        while let Some(values) = far.pieces.get_mut(piece) {
            let Some(kept) = values.get_mut(place) else {
                (piece, place) = (piece + 1, 0);
                continue;
            };
            if is_dead(kept) {
                let at = kept.0.0 as usize;
                drop(far.remove(at));
            } else {
                place += 1;
            }
        }
    }

    /// Drops the values whose elements are no longer in the roster, or never were. O(slots).
    ///
    /// An element that is [detached](Roster::detach) is not in the roster: tidy when it is back, or keep its value yourself.
    ///
    /// # Panics
    ///
    /// As [`HandleMap::retain`].
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::{Roster, SecondaryMap};
    ///
    /// let mut roster: Roster<usize> = (0..10).collect();
    /// let mut map: SecondaryMap<_, _> = roster.handles().map(|handle| (handle, "path")).collect();
    /// roster.retain(|_, n| *n < 3);
    /// map.tidy(&roster);
    /// assert_eq!(map.len(), 3);
    /// ```
    ///
    /// A type's own roster is lent by `pool_read`: `Monster::pool_read(|monsters| paths.tidy(monsters))`.
    pub fn tidy(&mut self, roster: &Roster<T>) {
        self.retain(|handle, _| roster.contains(handle));
    }

    /// Drops the value in a slot, unless it belongs to this handle.
    pub(crate) fn keep_only(&mut self, slot: u32, handle: Option<Handle<T>>) {
        let kept = self.slots.get(slot as usize).map(|kept| kept.0);
        if let Some(entry) = kept.filter(|&entry| handle.map(|handle| handle.raw()) != Some(entry))
        {
            drop(self.slots.remove(entry));
        }
    }

    /// Removes every value; the memory is kept. O(slots).
    ///
    /// # Panics
    ///
    /// If a destructor panics; the map is empty all the same.
    pub fn clear(&mut self) {
        self.slots.clear();
    }
}
