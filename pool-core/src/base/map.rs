//! A map of a pool's memory: each chunk and each slot, and what can be told from that.
//!
//! A pool draws itself on a canvas, which has its memory before the pool is looked at: the heap may be a user of the pool.

use alloc::vec::Vec;

use crate::base::map::chunk::{Outline, Uses};

mod chunk;
mod pool_map;

pub use chunk::{MapChunk, SlotUse};
pub use pool_map::PoolMap;

/// How much room a map takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) chunks: usize,
    /// Slots that have a use each.
    pub(crate) slots: usize,
}

/// A map that is being drawn. Only [`Canvas::draw`] asks the heap for anything.
pub(crate) struct Canvas {
    map: PoolMap,
    /// The number of the chunk that was looked at last.
    at_hand: usize,
}

impl Canvas {
    /// Lets a pool draw itself.
    ///
    /// `fill` calls [`Canvas::begin`] first, and returns its error: then it is called again, with more room, because the heap may be a
    /// user of the pool. `fill` itself asks the heap for nothing.
    pub(crate) fn draw(mut fill: impl FnMut(&mut Self) -> Result<(), Room>) -> PoolMap {
        let mut canvas = Self::with_room(Room { chunks: 0, slots: 0 });
        while let Err(room) = fill(&mut canvas) {
            drop(canvas);
            canvas = Self::with_room(room);
        }
        let mut map = canvas.map;
        map.chunks.sort_unstable_by_key(|chunk| chunk.address);
        map
    }

    fn with_room(room: Room) -> Self {
        let map = PoolMap {
            name: "",
            slot_bytes: 0,
            chunks: Vec::with_capacity(room.chunks),
            uses: Vec::with_capacity(room.slots),
            kept_elsewhere: 0,
            returnable: 0,
            is_exact: true,
            is_of_bytes: false,
        };
        Self { map, at_hand: 0 }
    }

    /// An empty canvas for a pool of this name, whose slots lie `slot_bytes` apart.
    ///
    /// # Errors
    ///
    /// If there is less room than this.
    pub(crate) fn begin(
        &mut self,
        name: &'static str,
        slot_bytes: usize,
        room: Room,
    ) -> Result<(), Room> {
        let map = &mut self.map;
        if map.chunks.capacity() < room.chunks || map.uses.capacity() < room.slots {
            return Err(room);
        }
        map.chunks.clear();
        map.uses.clear();
        (map.name, map.slot_bytes) = (name, slot_bytes);
        (map.kept_elsewhere, map.returnable, map.is_exact) = (0, 0, true);
        self.at_hand = 0;
        Ok(())
    }

    /// The next chunk. Its first `used` slots are live; the others were never used.
    pub(crate) fn chunk(&mut self, address: usize, slots: usize, bytes: usize, used: usize) {
        let first = self.map.uses.len();
        debug_assert!(first + slots <= self.map.uses.capacity(), "asked for");
        self.map.uses.resize(first + used, SlotUse::Live);
        self.map.uses.resize(first + slots, SlotUse::NeverUsed);
        self.map.chunks.push(Outline { address, slots, bytes, uses: Uses::From(first) });
    }

    /// The pool is a frame stack, whose slots are bytes.
    pub(crate) fn count_bytes(&mut self) {
        self.map.is_of_bytes = true;
    }

    /// The next chunk of a frame stack.
    pub(crate) fn stack(&mut self, address: usize, size: usize, bytes: usize, used: usize) {
        self.map.chunks.push(Outline { address, slots: size, bytes, uses: Uses::Stacked(used) });
    }

    /// The last chunk's slots.
    pub(crate) fn last_uses(&mut self) -> &mut [SlotUse] {
        match self.map.chunks.last() {
            Some(&Outline { uses: Uses::From(first), .. }) => &mut self.map.uses[first..],
            _ => &mut [],
        }
    }

    /// What the slot at the address is used for. O(chunks) if the last one was of another chunk.
    pub(crate) fn use_at(&mut self, address: usize) -> Option<&mut SlotUse> {
        let bytes = self.map.slot_bytes;
        let spans = |chunk: &Outline| address.wrapping_sub(chunk.address) < chunk.slots * bytes;
        if !self.map.chunks.get(self.at_hand).is_some_and(spans) {
            self.at_hand = self.map.chunks.iter().position(spans)?;
        }
        let chunk = self.map.chunks[self.at_hand];
        match chunk.uses {
            Uses::From(first) => self.map.uses.get_mut(first + (address - chunk.address) / bytes),
            Uses::Stacked(_) => None,
        }
    }

    /// The slot at the address is vacant.
    pub(crate) fn free(&mut self, address: usize) {
        self.mark(address, SlotUse::Vacant);
    }

    /// Says what a slot is used for, unless that is known already.
    pub(crate) fn mark(&mut self, address: usize, as_what: SlotUse) {
        if let Some(slot @ SlotUse::Live) = self.use_at(address) {
            *slot = as_what;
        }
    }

    /// So many vacant slots are shown as live.
    pub(crate) fn keep_elsewhere(&mut self, slots: usize) {
        self.map.kept_elsewhere = slots;
    }

    /// Says how many bytes a trim would return.
    pub(crate) fn set_returnable(&mut self, bytes: usize) {
        self.map.returnable = bytes;
    }

    /// Slots were used while they were looked at.
    pub(crate) fn is_blurred(&mut self) {
        self.map.is_exact = false;
    }

    /// The bytes of chunks without an occupied slot, and how many slots the others have.
    pub(crate) fn vacant_chunks(&self) -> (usize, usize) {
        let (mut bytes, mut left) = (0, 0);
        for chunk in self.map.chunks() {
            if chunk.occupied() == 0 {
                bytes += chunk.bytes();
            } else {
                left += chunk.slots();
            }
        }
        (bytes, left)
    }
}
