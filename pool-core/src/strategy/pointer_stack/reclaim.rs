//! What a pointer stack does rarely (`strategy/reclaim.rs`).
//!
//! The entries of chunks without a live slot leave the stack before the chunks do. In a closed pool the stack lies
//! where it did, but `top` no longer says how high it is.

use core::alloc::Layout;

use crate::memory::chunk::{Chunk, Spares};
use crate::strategy::pointer_stack::{EntryArray, InPointerStack};
use crate::strategy::remember::{Reclaim, Remember};
use crate::strategy::state::Slots;

impl<const IS_LIST: bool> Reclaim for InPointerStack<IS_LIST> {
    fn trim(slots: &Slots<Self>, slot: Layout) -> usize {
        let is_closed = slots.cursor.is_closed.get();
        if !is_closed {
            slots.count_in_chunks(slot);
        }
        let (spares, len) = slots.release_vacant(slot);
        if !is_closed {
            slots.cursor.restart(slot);
        }
        slots.set_len(len, slot);
        spares.bytes() + slots.fit(slot)
    }

    fn close(slots: &Slots<Self>, slot: Layout) {
        slots.count_in_chunks(slot);
        let (spares, len) = slots.release_vacant(slot);
        slots.cursor.close();
        slots.set_len(len, slot);
        slots.anchor();
        drop(spares);
        if !slots.cursor.is_named.get() {
            slots.fit(slot);
        }
    }

    fn pop_closed(slots: &Slots<Self>, slot: Layout) -> Option<*mut u8> {
        let height = slots.len().checked_sub(1)?;
        let taken = slots.strategy.entry(height);
        slots.set_len(height, slot);
        if let Some(home) = slots.cursor.chain.find(taken.addr(), slot) {
            home.vacant_count.set(home.vacant_count.get() - 1);
        }
        Some(taken)
    }

    unsafe fn push_closed(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let Some(home) = slots.cursor.chain.find(freed.addr(), slot) else { return };
        let len = slots.len();
        slots.strategy.set_entry(len, freed);
        slots.set_len(len + 1, slot);
        home.vacant_count.set(home.vacant_count.get() + 1);
        if slots.cursor.is_spare(home) {
            let (spares, len) = slots.release_vacant(slot);
            slots.set_len(len, slot);
            let array = match slots.cursor.chain.first() {
                Some(_) => EntryArray::NONE,
                None => slots.install(EntryArray::NONE, slot),
            };
            drop((spares, array));
        }
    }
}

impl<const IS_LIST: bool> Slots<InPointerStack<IS_LIST>> {
    /// Counts the vacant slots of every chunk.
    fn count_in_chunks(&self, slot: Layout) {
        self.cursor.begin_counts(slot);
        let mut height = self.len();
        while let Some(top) = height.checked_sub(1) {
            let of = |height| self.strategy.entry(height).addr();
            let Some(home) = self.cursor.chain.find(of(top), slot) else { break };
            // Neighbours on the stack are mostly of one chunk.
            let below = (0..top).rev().find(|&below| !home.spans(of(below), slot));
            let bottom = below.map_or(0, |below| below + 1);
            home.vacant_count.set(home.vacant_count.get() + (height - bottom));
            height = bottom;
        }
    }

    /// Takes the vacant chunks out of the chain, and what points into them out of the array; returns
    /// them, and how many entries are left.
    fn release_vacant(&self, slot: Layout) -> (Spares, usize) {
        if self.cursor.is_named.get() {
            return (Spares::NONE, self.len());
        }
        let mut kept = 0;
        // Of the chunk of the entry before: neighbours on the stack are mostly of one.
        let (mut start, mut bytes, mut is_kept) = (0, 0, false);
        for height in 0..self.len() {
            let vacant = self.strategy.entry(height);
            if vacant.addr().wrapping_sub(start) >= bytes {
                let Some(home) = self.cursor.chain.find(vacant.addr(), slot) else { continue };
                (start, bytes) = (home.start().addr(), home.slots * slot.size());
                is_kept = !home.is_vacant();
            }
            if is_kept {
                self.strategy.set_entry(kept, vacant);
                kept += 1;
            }
        }
        // SAFETY: a slot of a vacant chunk is neither live nor, any longer, on the stack; and
        // callers go on in the chunks that remain.
        (unsafe { self.cursor.chain.release(Chunk::is_vacant) }, kept)
    }

    /// Makes the array as small as the slots allow, if the heap has another; returns the bytes that
    /// this saves.
    fn fit(&self, slot: Layout) -> usize {
        let (before, slots) = (self.strategy.bytes_beside(), self.cursor.chain.slots());
        let array = match slots {
            0 => Some(EntryArray::NONE),
            _ if slots == self.strategy.room.get() => None,
            _ => EntryArray::allocate(slots),
        };
        // The heap may be a user of this very pool, which has grown meanwhile, or given chunks back.
        if let Some(array) = array.filter(|_| self.cursor.chain.slots() == slots) {
            let array = self.install(array, slot);
            let saved = before - self.strategy.bytes_beside();
            drop(array);
            saved
        } else {
            0
        }
    }
}
