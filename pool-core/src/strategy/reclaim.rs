//! Rare operations on a pool, chunk by chunk: giving memory back, and closing when its thread ends.
//!
//! Both begin by having every chunk count its own vacant slots, and give the chunks without a live slot back to the
//! heap.
//!
//! A closed pool goes on counting, so that each chunk goes back soon after its last slot is freed. It counts in batches: freed slots are
//! remembered as in any pool, and handed out again, until they fill a *window*. Then the pool *settles*, by the rare way that every pool's
//! free has. So a closed pool's hot paths are those of an open one.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::watch::sanitizer;
use crate::memory::chunk::{Chunk, Spares};
use crate::strategy::slots::{Slots, Strategy};

impl<S: Strategy> Slots<S> {
    /// Gives the chunks without a live slot, and the strategy's surplus memory, back to the heap; returns the bytes. O(vacant slots
    /// x chunks), or O(vacant slots + chunks) where fewer slots are vacant than any chunk has.
    pub(crate) fn trim(&self, slot: Layout) -> usize {
        if self.cursor.is_closed.get() {
            return self.cursor.at_heap(|| Some(self.settle(false, slot))).unwrap_or(0);
        }
        let chain = &self.cursor.chain;
        let vacant = chain.slots().saturating_sub(self.live(slot));
        let is_in_vain = chain.iter().all(|chunk| chunk.slots > vacant);
        self.note_high_water(slot);
        let trimmed = self.cursor.at_heap(|| {
            let mut bytes = 0;
            if !is_in_vain {
                self.cursor.begin_counts(slot);
                S::count(self, slot);
                let spares = self.release_vacant(slot);
                self.cursor.restart(slot);
                S::resume(self, slot);
                bytes = spares.bytes();
            }
            Some(bytes + S::fit(self))
        });
        trimmed.unwrap_or(0)
    }

    /// Takes the chunks without a live slot, which have counted, out of the chain.
    fn release_vacant(&self, slot: Layout) -> Spares {
        S::forget_vacant(self, slot);
        // SAFETY: a slot of a vacant chunk is neither live nor remembered any more, and callers go on in the chunks that remain.
        unsafe { self.cursor.chain.release(Chunk::is_vacant) }
    }

    /// Closes the pool, whose thread is ending: what is not in use goes back to the heap at once, the rest soon after
    /// it is freed.
    ///
    /// Boxes may be dropped and made after this, by the destructors of other thread-locals. If these reserve slots, the pool is
    /// closed once more.
    pub(crate) fn close(&self, slot: Layout) {
        self.cursor.at_heap(|| {
            if !self.cursor.is_closed.get() {
                self.cursor.begin_counts(slot);
                self.cursor.close();
            }
            self.settle(true, slot);
            S::fit(self);
            Some(())
        });
        self.note_high_water(slot);
    }

    /// Has the chunks of a closed pool count the slots that were freed lately. If a chunk is vacant, already before (`any`) or now,
    /// gives the vacant chunks back; returns their bytes.
    fn settle(&self, any: bool, slot: Layout) -> usize {
        let (counted, is_one) = S::count(self, slot);
        self.cursor.used_up.set(self.cursor.used_up.get() - counted);
        let spares = (any || is_one).then(|| self.release_vacant(slot));
        S::resume(self, slot);
        let is_empty = self.cursor.chain.first.get().is_none();
        spares.as_ref().map_or(0, Spares::bytes) + if is_empty { S::fit(self) } else { 0 }
    }

    /// Takes a slot of a closed pool, which grows by a chunk if need be. A never-used slot comes last, so that the high water is
    /// exact.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    pub(super) extern "C" fn take_closed(&self, slot: Layout) -> Option<NonNull<u8>> {
        let (cursor, chain) = (&self.cursor, &self.cursor.chain);
        let count_in_use = |more| cursor.used_up.set(cursor.used_up.get() + more);
        let vacant = S::unsettle(self, (cursor.window() / 2).max(1), slot);
        if vacant > 0 {
            count_in_use(vacant);
            return self.take(slot);
        }
        let fresh = || chain.back_from_current().find_map(|chunk| chunk.take_fresh(slot));
        let taken = match fresh() {
            Some(taken) => taken,
            None => {
                if self.grow(slot).is_none() {
                    return self.take(slot); // one that the heap has freed
                }
                chain.go_to_last();
                fresh()?
            }
        };
        count_in_use(1);
        cursor.peak.set(cursor.peak.get().max(self.live(slot)));
        self.note_high_water(slot);
        sanitizer::unpoison(taken, slot.size());
        NonNull::new(taken)
    }

    /// The rare free: the pool may have emptied, or it is closed.
    ///
    /// `extern "C"`, as nothing in here unwinds: the caller then needs no landing pad, for which it
    /// would spill its registers to the stack.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    pub(super) unsafe extern "C" fn push_rare(&self, freed: *mut u8, slot: Layout) {
        if self.cursor.is_closed.get() {
            // SAFETY: the caller gives up a slot of this pool.
            unsafe { self.push_closed(freed, slot) };
        } else {
            // SAFETY: the caller gives up a slot of this pool.
            unsafe { S::push_last(self, freed, slot) };
        }
    }

    /// [`Slots::push_rare`] of a closed pool. It is a function of its own, so that a free that empties a pool saves no register.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "as for `push_rare`")]
    unsafe extern "C" fn push_closed(&self, freed: *mut u8, slot: Layout) {
        // SAFETY: the caller gives up a slot of this pool.
        unsafe { S::keep(self, freed) };
        self.settle(false, slot);
    }
}
