//! How a pool draws its map.

use core::alloc::Layout;

use crate::base::guard::hardened::IS_HARDENED;
use crate::base::map::{Canvas, Room, SlotUse};
use crate::memory::chunk::Place;
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
        let vacant = self.cursor.chain.slots() - self.live(slot);
        self.draw_chunks(name, slot, vacant, canvas)?;
        self.draw_vacant(slot, canvas);
        let (bytes, _) = self.returnable(canvas);
        canvas.set_returnable(bytes);
        Ok(())
    }

    /// Draws the chunks; all slots that were used are shown as live. There is to be room for `vacant` runs, and those that were never used.
    pub(crate) fn draw_chunks(
        &self,
        name: &'static str,
        slot: Layout,
        vacant: usize,
        canvas: &mut Canvas,
    ) -> Result<(), Room> {
        let (chain, cursor) = (&self.cursor.chain, &self.cursor);
        let (chunks, slots) = (chain.iter().count(), chain.slots());
        let room = Room { chunks, slots, runs: vacant + chunks };
        canvas.begin(cursor.config.name.unwrap_or(name), slot.size(), room)?;
        for chunk in chain.iter() {
            let used = cursor.used_in(chunk, slot);
            canvas.chunk(chunk.start().addr(), chunk.slots, chunk.bytes(), used);
        }
        Ok(())
    }

    /// Draws the vacant slots, in the order in which they will be handed out; returns how many of them are remembered, and come first.
    pub(crate) fn draw_vacant(&self, slot: Layout, canvas: &mut Canvas) -> usize {
        let (chain, mut remembered) = (&self.cursor.chain, 0);
        S::for_each_vacant(self, slot, &mut |vacant| {
            remembered += 1;
            canvas.free(vacant.addr());
        });
        // What waits in quarantine comes before the next chunk (`refill`).
        let mut is_waiting = true;
        for chunk in chain.iter() {
            if is_waiting && chain.place(chunk) == Place::Untouched {
                self.quarantine.for_each(&mut |waiting| canvas.free(waiting.addr()));
                is_waiting = false;
            }
            let used = self.cursor.used_in(chunk, slot);
            canvas.hand_out(chunk.slot(used, slot).addr(), chunk.slots - used);
        }
        if is_waiting {
            self.quarantine.for_each(&mut |waiting| canvas.free(waiting.addr()));
        }
        if IS_HARDENED {
            self.draw_lost(slot, canvas);
        }
        remembered
    }

    /// Something was written over a vacant slot, and what its link led to is not found by the list.
    fn draw_lost(&self, slot: Layout, canvas: &mut Canvas) {
        for chunk in self.cursor.chain.iter() {
            for number in 0..self.cursor.used_in(chunk, slot) {
                let address = chunk.slot(number, slot).addr();
                if chunk.is_occupied(address, slot) == Some(false) {
                    canvas.mark(address, SlotUse::Vacant);
                }
            }
        }
    }

    /// What a trim would return of the pool that was drawn, and how many slots it would leave.
    pub(crate) fn returnable(&self, canvas: &Canvas) -> (usize, usize) {
        if self.cursor.is_closed.get() {
            // It keeps no chunk without a live slot.
            return (0, self.cursor.chain.slots());
        }
        let (bytes, left) = canvas.vacant_chunks();
        (bytes + self.strategy.bytes_too_many(left), left)
    }
}
