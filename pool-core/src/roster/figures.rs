//! Reports of a roster: statistics, a map, and names.

use crate::base::config::Bound;
#[cfg(feature = "view")]
use crate::base::map::{PoolMap, SlotUse};
use crate::base::stats::{PoolStats, Strategy};
use crate::roster::Roster;
#[cfg(feature = "sites")]
use {crate::base::watch::sites::list::Site, alloc::vec::Vec};

impl<T> Roster<T> {
    pub(super) fn bytes(&self) -> usize {
        self.store.bytes() + self.directory.bytes()
    }

    /// Returns the roster's name in messages.
    pub(super) fn name(&self) -> &'static str {
        self.config.name_of::<T>()
    }

    /// Returns the source lines that made the roster's live elements, with their counts, the biggest first. See
    /// [`Pooled::pool_sites`](crate::Pooled::pool_sites). O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::from_iter([1_u64, 2, 3]);
    /// let last = roster.insert(4);
    /// assert_eq!(roster.sites().iter().map(|site| site.live).collect::<Vec<_>>(), [3, 1]);
    /// let _ = roster.detach(last);
    /// assert_eq!(roster.sites().len(), 1);
    /// ```
    #[cfg(feature = "sites")]
    #[must_use]
    pub fn sites(&self) -> Vec<Site> {
        Site::list([self.map()])
    }

    /// Returns the roster's statistics. The slot of a detached element is occupied, though not live, until it is
    /// [released](Roster::release); a retired slot is occupied until [`Roster::renew`]. O(chunks + log slots), or O(slots) while
    /// something is detached.
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::<[u64; 4]>::bounded(8);
    /// let handle = roster.insert([0; 4]);
    /// roster.remove(handle);
    /// let stats = roster.stats();
    /// assert_eq!((stats.live, stats.high_water, stats.capacity), (0, 1, 8));
    /// ```
    #[must_use]
    pub fn stats(&self) -> PoolStats {
        let bound = self.config.bound;
        let capacity = if self.config.is_fixed() { self.config.max } else { self.capacity() };
        PoolStats {
            name: self.name(),
            live: self.len(),
            detached: self.directory.reserved,
            retired: self.directory.retired,
            strategy: Strategy::ROSTER,
            high_water: self.directory.used(),
            capacity,
            limit: (bound != Bound::None).then_some(self.config.max),
            chunks: self.store.chunks().len(),
            slot_bytes: size_of::<T>(),
            bytes: self.bytes(),
            ..PoolStats::default()
        }
    }

    /// Returns a map of the roster's memory: its chunks, and the state of each slot. O(slots).
    ///
    /// # Examples
    ///
    /// ```
    /// use typed_pool::Roster;
    ///
    /// let mut roster = Roster::bounded(16);
    /// let handles: Vec<_> = (0..8).map(|n| roster.insert(n)).collect();
    /// roster.remove(handles[3]);
    /// let map = roster.map();
    /// assert_eq!((map.live(), map.chunks().len()), (7, 1));
    /// ```
    #[cfg(feature = "view")]
    #[must_use]
    pub fn map(&self) -> PoolMap {
        self.map_as(self.name())
    }

    /// [`Roster::map`] of a roster that is called `name`.
    #[cfg(feature = "view")]
    pub(crate) fn map_as(&self, name: &'static str) -> PoolMap {
        let room = [self.store.chunks().len(), self.capacity()];
        let mut map = PoolMap::with_capacity(name, size_of::<T>(), room);
        let used = self.directory.used();
        for (start, slots) in self.store.chunks() {
            let bytes = slots.len() * size_of::<T>();
            map.add_chunk(
                start.addr(),
                bytes,
                slots.len(),
                &mut |number| match slots.start + number {
                    slot if self.directory.entry(slot as u32).is_some() => SlotUse::Live,
                    slot if !self.directory.is_spare(slot) => SlotUse::Detached,
                    slot if self.directory.words()[slot] == 0 => SlotUse::Retired,
                    slot if slot >= used => SlotUse::NeverUsed,
                    _ => SlotUse::Vacant,
                },
            );
        }
        map
    }
}
