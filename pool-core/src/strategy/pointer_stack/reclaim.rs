//! What a pointer stack does rarely: giving memory back, and closing when its thread ends.
//!
//! Both begin by *settling*: every chunk counts its vacant slots. The entries of chunks without a
//! live slot leave the stack, and the chunks go back to the heap. A closed pool keeps the counts, so
//! that each chunk can go back as soon as its last slot is freed; its stack lies where it did, but
//! `top` no longer says how high it is.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::guard::sanitizer;
use crate::memory::chunk::{Chunk, Spares};
use crate::strategy::Strategy;
use crate::strategy::pointer_stack::{Array, Stack};

impl Stack {
    /// [`Strategy::trim`]. O(vacant slots x chunks).
    pub(super) fn trim_settled(&self, slot: Layout) -> usize {
        if self.region.is_closed.get() {
            // A closed pool keeps no vacant chunk.
            return 0;
        }
        self.settle(slot);
        let (spares, len) = self.release_vacant(slot);
        self.region.restart(slot);
        self.set_len(len, slot);
        spares.bytes() + self.fit(slot)
    }

    /// [`Strategy::close`].
    #[cfg(feature = "std")]
    pub(super) fn close_settled(&self, slot: Layout) {
        if self.region.is_closed.get() {
            return;
        }
        self.settle(slot);
        let (spares, len) = self.release_vacant(slot);
        self.region.close();
        self.set_len(len, slot);
        self.anchor();
        drop(spares);
        self.fit(slot);
    }

    /// Takes a slot from a closed pool, in which a linear search is good enough; `None` as
    /// [`Strategy::refill`].
    pub(super) fn take_closed(&self, slot: Layout) -> Option<NonNull<u8>> {
        let chain = &self.region.chain;
        let taken = if let Some(height) = self.len().checked_sub(1) {
            let taken = self.entry(height);
            self.set_len(height, slot);
            if let Some(home) = chain.find(taken.addr(), slot) {
                home.vacant_count.set(home.vacant_count.get() - 1);
            }
            taken
        } else {
            chain.iter().find_map(|chunk| chunk.take(slot)).or_else(|| {
                let _outgrown = self.region.grow(slot, |slots| self.grow_by(slots, slot))?;
                chain.iter().last()?.take(slot)
            })?
        };
        self.region.peak.set(self.region.peak.get().max(self.region.live_settled()));
        sanitizer::unpoison(taken, slot.size());
        NonNull::new(taken)
    }

    /// Takes a slot back into a closed pool.
    ///
    /// # Safety
    ///
    /// As for [`Strategy::put`].
    pub(super) unsafe fn put_closed(&self, freed: *mut u8, slot: Layout) {
        let Some(home) = self.region.chain.find(freed.addr(), slot) else { return };
        let len = self.len();
        self.set_entry(len, freed);
        self.set_len(len + 1, slot);
        home.vacant_count.set(home.vacant_count.get() + 1);
        if home.is_vacant() {
            let (spares, len) = self.release_vacant(slot);
            self.set_len(len, slot);
            let array = match self.region.chain.first() {
                Some(_) => Array::NONE,
                None => self.install(Array::NONE, slot),
            };
            drop((spares, array));
        }
    }

    /// Counts the vacant slots of every chunk.
    fn settle(&self, slot: Layout) {
        self.region.settle(slot);
        let mut home = self.region.chain.first();
        self.for_each_vacant(slot, &mut |vacant| {
            if !home.is_some_and(|chunk| chunk.spans(vacant.addr(), slot)) {
                home = self.region.chain.find(vacant.addr(), slot);
            }
            if let Some(home) = home {
                home.vacant_count.set(home.vacant_count.get() + 1);
            }
        });
    }

    /// Takes the vacant chunks out of the chain, and what points into them out of the array; returns
    /// them, and how many entries are left.
    fn release_vacant(&self, slot: Layout) -> (Spares, usize) {
        let mut kept = 0;
        let mut home = self.region.chain.first();
        for height in 0..self.len() {
            let vacant = self.entry(height);
            if !home.is_some_and(|chunk| chunk.spans(vacant.addr(), slot)) {
                home = self.region.chain.find(vacant.addr(), slot);
            }
            if home.is_some_and(|chunk| !chunk.is_vacant()) {
                self.set_entry(kept, vacant);
                kept += 1;
            }
        }
        // SAFETY: a slot of a vacant chunk is neither live nor, any longer, on the stack; and
        // callers go on in the chunks that remain.
        (unsafe { self.region.chain.release(Chunk::is_vacant) }, kept)
    }

    /// Makes the array as small as the slots allow, if the heap has another; returns the bytes that
    /// this saves.
    fn fit(&self, slot: Layout) -> usize {
        let (before, slots) = (self.bytes_beside(), self.region.chain.slots());
        let array = match slots {
            0 => Some(Array::NONE),
            _ if slots == self.room.get() => None,
            _ => Array::allocate(slots),
        };
        // The heap may be a user of this very pool, which has grown meanwhile, or given chunks back.
        if let Some(array) = array.filter(|_| self.region.chain.slots() == slots) {
            let array = self.install(array, slot);
            let saved = before - self.bytes_beside();
            drop(array);
            saved
        } else {
            0
        }
    }
}
