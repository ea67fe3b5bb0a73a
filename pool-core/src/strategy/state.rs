//! The slots of one pool: the state that typed pools, raw pools and those behind derived types share.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::watch::hardened::{Peak, Quarantine};
use crate::base::watch::sanitizer;
use crate::base::watch::sites::{IS_SITED, Line};
use crate::base::watch::tracy::{self, Told};
use crate::memory::bump::BumpCursor;
use crate::memory::chunk::Chunk;

/// The strategy `S` remembers the vacant slots, the bump cursor those that were never used. The memory goes back to
/// the heap with them.
///
/// Every method takes the slots' layout, always the same, whose size is not zero and a multiple of the alignment.
pub(crate) struct Slots<S> {
    pub(crate) strategy: S,
    pub(crate) cursor: BumpCursor,
    pub(super) quarantine: Quarantine,
    /// The most slots that were ever live, where the cursor cannot tell.
    pub(super) peak: Peak,
    /// Of a pool that is a value: what Tracy knows.
    pub(crate) told: Told,
}

impl<S> Drop for Slots<S> {
    fn drop(&mut self) {
        self.tell_all_back();
        // SAFETY: the pool is not borrowed, so no box can reach a slot any more; those that took slots by their
        // address were told not to use them after this.
        drop(unsafe { self.cursor.chain.release(|_| true) });
    }
}

impl<S> Slots<S> {
    /// Tells Tracy that no slot is handed out any more.
    pub(super) fn tell_all_back(&self) {
        if tracy::IS_ON {
            let slots = |chunk: &Chunk| (chunk.start(), chunk.slots);
            self.told.take_all_back(self.cursor.chain.iter().map(slots));
        }
    }

    /// Makes a slot that is handed out fit for use.
    #[inline(always)]
    pub(super) fn hand_out(&self, taken: NonNull<u8>, slot: Layout) -> NonNull<u8> {
        sanitizer::unpoison(taken.as_ptr(), slot.size());
        taken
    }

    /// Accounts for a slot that is handed out to a line, where slots are watched one by one.
    #[inline(never)]
    pub(super) fn note_acquired(&self, taken: NonNull<u8>, line: Line, slot: Layout) {
        if let Some(home) = self.cursor.chain.find(taken.addr().get(), slot) {
            home.hand_out(taken.as_ptr(), line, slot);
            if IS_SITED && self.cursor.is_ending() {
                self.cursor.account.add_remains(line);
            }
        }
    }

    /// Accounts for a slot that is taken back, and fills it.
    ///
    /// Not inlined: boxes in boxes are dropped within each other, and each drop would have room for this on the stack.
    ///
    /// # Safety
    ///
    /// Nobody uses the slot any more.
    #[inline(never)]
    pub(super) unsafe fn note_released(&self, freed: *mut u8, slot: Layout) {
        if let Some(home) = self.cursor.chain.find(freed.addr(), slot) {
            // SAFETY: passed on from the caller.
            let line = unsafe { home.take_back(freed, slot) };
            if IS_SITED && self.cursor.is_ending() {
                self.cursor.account.remove_remains(line);
            }
        }
    }

    /// Once the pool is closed, others can no longer look into it.
    pub(super) fn note_remains(&self) {
        if IS_SITED {
            let marks = self.cursor.chain.iter().flat_map(Chunk::marks);
            marks.for_each(|mark| self.cursor.account.add_remains(mark.line()));
        }
    }

    /// Shows the line that has taken each slot.
    pub(crate) fn show_lines(&self, found: &mut dyn FnMut(Line)) {
        let marks = self.cursor.chain.iter().flat_map(Chunk::marks);
        marks.for_each(|mark| found(mark.line()));
    }
}
