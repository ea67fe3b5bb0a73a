//! What a pool says of itself: figures, errors, and the picture of its map.

use core::alloc::Layout;

use crate::base::config::Bound;
use crate::base::exhausted::Exhausted;
use crate::base::stats::PoolStats;
use crate::base::watch::sites::{IS_SITED, Line};
use crate::memory::chunk::Chunk;
use crate::strategy::slots::{Slots, Strategy};

impl<S: Strategy> Slots<S> {
    /// Slots that are live.
    pub(crate) fn live(&self, slot: Layout) -> usize {
        let live = if self.cursor.is_closed.get() {
            self.cursor.live_in_chunks()
        } else {
            S::live(self, slot)
        };
        live - self.quarantine.len()
    }

    /// Shows the vacant slots that are remembered.
    pub(crate) fn for_each_vacant(&self, slot: Layout, show: &mut dyn FnMut(*mut u8)) {
        S::for_each_vacant(self, slot, show);
        self.quarantine.for_each(show);
    }

    /// The figures of a pool that is called `name` unless it was given a name. O(chunks).
    pub(crate) fn stats(&self, name: &'static str, slot: Layout) -> PoolStats {
        let (chain, config) = (&self.cursor.chain, &self.cursor.config);
        let in_chunks: usize = chain.iter().map(Chunk::bytes).sum();
        PoolStats {
            name: config.name.unwrap_or(name),
            live: self.live(slot),
            high_water: self.peak.get().unwrap_or_else(|| self.cursor.high_water(slot)),
            capacity: match config.is_fixed() {
                true => config.max,
                false => chain.slots(),
            },
            limit: (config.bound != Bound::None).then_some(config.max),
            chunks: chain.iter().count(),
            slot_bytes: slot.size(),
            bytes: in_chunks + self.strategy.bytes_beside(),
            ..PoolStats::default()
        }
    }

    /// Whether the limit allows no slot more.
    pub(crate) fn is_at_limit(&self) -> bool {
        self.cursor.chain.slots() >= self.cursor.config.max
    }

    /// Why a pool of this name has just found no slot: see [`Pool::exhausted`](crate::Pool::exhausted).
    pub(crate) fn exhausted(
        &self,
        name: &'static str,
        is_at_limit: bool,
        slot: Layout,
    ) -> Exhausted {
        let (config, chain) = (&self.cursor.config, &self.cursor.chain);
        self.cursor.account.refused();
        let exhausted = Exhausted::new::<()>(&config.name(config.name.unwrap_or(name)));
        if is_at_limit {
            return exhausted;
        }
        let chunk = S::largest_block(config.least_chunk(), slot);
        exhausted.at_heap(chain.slots(), S::bytes_each(slot), chunk)
    }

    /// Whether a slot begins at the address, occupied or not. O(chunks).
    pub(crate) fn owns(&self, address: usize, slot: Layout) -> bool {
        self.cursor.chain.iter().any(|chunk| chunk.has_slot_at(address, slot))
    }

    /// Shows the line that has taken each slot.
    pub(crate) fn show_lines(&self, found: &mut dyn FnMut(Line)) {
        let marks = self.cursor.chain.iter().flat_map(Chunk::marks);
        marks.for_each(|mark| found(mark.line()));
    }

    /// Once the pool is closed, others can no longer look into it.
    pub(super) fn note_remains(&self) {
        if IS_SITED {
            let marks = self.cursor.chain.iter().flat_map(Chunk::marks);
            marks.for_each(|mark| self.cursor.account.add_remains(mark.line()));
        }
    }
}

#[cfg(feature = "view")]
mod map {
    use core::alloc::Layout;

    use crate::base::map::{Canvas, Room};
    use crate::strategy::slots::{Slots, Strategy};

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
            canvas.map.returnable = self.returnable(canvas).0;
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
}
