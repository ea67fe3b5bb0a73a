//! How a roster draws its map.

use crate::base::map::{Canvas, PoolMap, Room, SlotUse};
use crate::roster::Roster;

impl<T> Roster<T> {
    /// A map of the roster's memory: each slot, live or vacant, and how scattered the vacant ones are. O(slots).
    ///
    /// Slots without memory, which a roster that was read by `serde` may have, are not in it.
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
    /// assert_eq!((map.live(), map.vacant(), map.longest_vacant_run()), (7, 9, 8));
    /// ```
    pub fn map(&self) -> PoolMap {
        Canvas::draw(|canvas| self.draw(canvas))
    }

    /// Draws the roster.
    ///
    /// # Errors
    ///
    /// If the canvas has not enough room. The heap is not asked in here.
    pub(crate) fn draw(&self, canvas: &mut Canvas) -> Result<(), Room> {
        let (mut chunks, mut slots) = (0, 0);
        self.store.for_each_chunk(|_, present| {
            chunks += 1;
            slots += present.len();
        });
        canvas.begin(self.name(), size_of::<T>(), Room { chunks, slots })?;
        let used = self.directory.used(self.first_word);
        self.store.for_each_chunk(|start, present| {
            let in_use = used.clamp(present.start, present.end) - present.start;
            canvas.chunk(start, present.len(), present.len() * size_of::<T>(), in_use);
            for number in 0..present.len() {
                let as_what = self.use_of(present.start + number);
                let slot = &mut canvas.last_uses()[number];
                if *slot != SlotUse::NeverUsed || as_what.is_occupied() {
                    *slot = as_what;
                }
            }
        });
        canvas.set_returnable(self.returnable());
        Ok(())
    }

    fn use_of(&self, slot: usize) -> SlotUse {
        if self.directory.entry(slot as u32).is_some() {
            SlotUse::Live
        } else if !self.directory.is_spare(slot) {
            SlotUse::Detached
        } else if self.directory.words()[slot] == 0 {
            SlotUse::Retired
        } else {
            SlotUse::Vacant
        }
    }

    /// What [`Roster::trim`] would return.
    fn returnable(&self) -> usize {
        let (bytes, left) = self.store.spare_at_end(|slot| self.directory.is_spare(slot));
        bytes + self.directory.bytes().saturating_sub(self.directory.bytes_after_shrink(left))
    }
}
