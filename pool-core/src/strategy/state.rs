//! The slots of one pool: the state that typed pools, raw pools and those behind derived types share.

use core::alloc::Layout;
#[cfg(feature = "sites")]
use core::num::NonZeroU32;
use core::ptr::NonNull;

use crate::base::guard::hardened::{Peak, Quarantine};
use crate::base::guard::tracy::Told;
use crate::base::guard::{IS_GUARDED, sanitizer};
#[cfg(all(feature = "sites", feature = "std"))]
use crate::base::sites::remains;
use crate::base::sites::{IS_SITED, Line};
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
        let slots = |chunk: &Chunk| (chunk.start(), chunk.slots);
        self.told.take_all_back(self.cursor.chain.iter().map(slots));
    }

    /// Makes a slot that is handed out fit for use, and accounts for it.
    #[inline(always)]
    pub(super) fn hand_out(&self, taken: NonNull<u8>, slot: Layout) -> NonNull<u8> {
        sanitizer::unpoison(taken.as_ptr(), slot.size());
        if IS_GUARDED {
            if let Some(home) = self.cursor.chain.find(taken.addr().get(), slot) {
                home.hand_out(taken.as_ptr(), slot);
            }
        }
        taken
    }

    /// Writes down which line has taken a slot, which was just taken.
    #[inline(always)]
    pub(crate) fn sign(&self, taken: NonNull<u8>, line: Line, slot: Layout) {
        if IS_SITED {
            if let Some(home) = self.cursor.chain.find(taken.addr().get(), slot) {
                home.sign(taken.as_ptr(), line, slot);
                #[cfg(all(feature = "sites", feature = "std"))]
                if self.cursor.is_closed.get() {
                    remains::add(self.cursor.account.key(), line);
                }
            }
        }
    }

    /// Before a slot of a closed pool is taken back.
    #[cfg(all(feature = "sites", feature = "std"))]
    pub(super) fn note_gone(&self, freed: *mut u8, slot: Layout) {
        if let Some(home) = self.cursor.chain.find(freed.addr(), slot) {
            remains::remove(self.cursor.account.key(), home.line(freed.addr(), slot));
        }
    }

    /// Once the pool is closed, others can no longer look into it.
    #[cfg(all(feature = "sites", feature = "std"))]
    pub(super) fn note_remains(&self) {
        let key = self.cursor.account.key();
        self.cursor.chain.iter().for_each(|chunk| chunk.note_remains(key));
    }

    /// Shows the line that has taken each slot.
    #[cfg(feature = "sites")]
    pub(crate) fn show_lines(&self, found: &mut dyn FnMut(NonZeroU32)) {
        self.cursor.chain.iter().for_each(|chunk| chunk.show_lines(found));
    }
}
