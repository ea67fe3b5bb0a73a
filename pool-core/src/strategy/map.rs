//! How a pool draws its map.

use core::alloc::Layout;

use crate::base::map::{Canvas, Room};
use crate::strategy::remember::Strategy;
use crate::strategy::state::Slots;

impl<S: Strategy> Slots<S> {
    /// Draws the pool, which is called `name` unless it was given a name. O(slots).
    ///
    /// # Errors
    ///
    /// If the canvas has not enough room. The heap is not asked in here.
    pub(crate) fn draw(
        &self,
        name: &'static str,
        slot: Layout,
        canvas: &mut Canvas,
    ) -> Result<(), Room> {
        self.draw_chunks(name, slot, canvas)?;
        self.draw_vacant(slot, canvas);
        let (bytes, _) = self.returnable(canvas);
        canvas.set_returnable(bytes);
        Ok(())
    }

    /// Draws the chunks; all slots that were used are shown as live.
    pub(crate) fn draw_chunks(
        &self,
        name: &'static str,
        slot: Layout,
        canvas: &mut Canvas,
    ) -> Result<(), Room> {
        let (chain, cursor) = (&self.cursor.chain, &self.cursor);
        let room = Room { chunks: chain.iter().count(), slots: chain.slots() };
        canvas.begin(cursor.config.name.unwrap_or(name), slot.size(), room)?;
        for chunk in chain.iter() {
            let used = cursor.used_in(chunk, slot);
            canvas.chunk(chunk.start().addr(), chunk.slots, chunk.bytes(), used);
        }
        Ok(())
    }

    /// Draws the vacant slots.
    pub(crate) fn draw_vacant(&self, slot: Layout, canvas: &mut Canvas) {
        self.for_each_vacant(slot, &mut |vacant| canvas.free(vacant.addr()));
    }

    /// What a trim would return of the pool that was drawn, and how many slots it would leave.
    pub(crate) fn returnable(&self, canvas: &Canvas) -> (usize, usize) {
        if self.cursor.is_ending() {
            // It keeps no chunk without a live slot.
            return (0, self.cursor.chain.slots());
        }
        let (bytes, left) = canvas.vacant_chunks();
        (bytes + self.strategy.bytes_too_many(left), left)
    }
}
