//! Reports of a pool: statistics, errors, and its map.

use core::alloc::Layout;

use crate::base::config::Bound;
use crate::base::exhausted::Exhausted;
use crate::base::map::{PoolMap, SlotUse};
use crate::base::stats::PoolStats;
use crate::memory::chunk::Chunk;
use crate::strategy::slots::{Slots, Strategy, bytes_each, largest_block};

impl<S: Strategy> Slots<S> {
    /// Slots that are live.
    pub(crate) fn live(&self, slot: Layout) -> usize {
        match self.cursor.is_closed.get() {
            true => self.cursor.used_up.get() - S::unsettled(self),
            false => S::live(self, slot),
        }
    }

    /// Returns the pool's name: `name`, unless it was given one.
    pub(crate) fn name(&self, name: &'static str) -> &'static str {
        self.cursor.config.name.unwrap_or(name)
    }

    /// Returns the statistics of the pool, which is called `name` unless it was given a name. O(chunks).
    pub(crate) fn stats(&self, name: &'static str, slot: Layout) -> PoolStats {
        let (chain, config) = (&self.cursor.chain, &self.cursor.config);
        let in_chunks: usize = chain.iter().map(Chunk::bytes).sum();
        PoolStats {
            name: self.name(name),
            strategy: S::KIND,
            live: self.live(slot),
            high_water: self.cursor.high_water(slot),
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

    /// Returns the reason why a pool of this name has just found no slot: see [`Pool::exhausted`](crate::Pool::exhausted).
    pub(crate) fn exhausted(
        &self,
        name: &'static str,
        is_at_limit: bool,
        slot: Layout,
    ) -> Exhausted {
        let (config, chain) = (&self.cursor.config, &self.cursor.chain);
        self.refused();
        let exhausted = Exhausted::new(name, config);
        if is_at_limit {
            return exhausted;
        }
        let chunk = largest_block(config.least_chunk(), slot);
        exhausted.at_heap(chain.slots(), bytes_each(slot), chunk)
    }

    /// Counts a request that was not met, in the totals of the type.
    pub(crate) fn refused(&self) {
        if let Some(record) = self.cursor.chain.record.get() {
            record.refused();
        }
    }

    /// Tells the totals of the type how many slots were in use at once.
    pub(crate) fn note_high_water(&self, slot: Layout) {
        if let Some(record) = self.cursor.chain.record.get() {
            record.note_high_water(self.cursor.high_water(slot));
        }
    }

    /// Whether a slot begins at the address, occupied or not. O(chunks).
    pub(crate) fn owns(&self, address: usize, slot: Layout) -> bool {
        let home = self.cursor.chain.find(address, slot);
        home.is_some_and(|home| (address - home.start().addr()) % slot.size() == 0)
    }

    /// Draws a map of the pool, which is called `name` unless it was given a name. O(slots x chunks).
    pub(crate) fn map(&self, name: &'static str, slot: Layout) -> PoolMap {
        let mut map = PoolMap::with_capacity(self.name(name), slot.size(), self.map_capacity());
        self.draw(&mut map, slot);
        map
    }

    /// The chunks and slots of a map.
    pub(crate) fn map_capacity(&self) -> [usize; 2] {
        [self.cursor.chain.iter().count(), self.cursor.chain.slots()]
    }

    pub(crate) fn draw(&self, map: &mut PoolMap, slot: Layout) {
        for chunk in self.cursor.chain.iter() {
            let used = self.cursor.used_in(chunk, slot);
            let mut state = |number| if number < used { SlotUse::Live } else { SlotUse::NeverUsed };
            map.add_chunk(chunk.start().addr(), chunk.bytes(), chunk.slots, &mut state);
        }
        S::for_each_vacant(self, slot, &mut |vacant| map.mark(vacant.addr(), SlotUse::Vacant));
    }
}
