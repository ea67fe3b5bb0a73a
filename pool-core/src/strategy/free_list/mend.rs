//! The feature `hardened` in a free list: a link that was written over leads nowhere, and so the list ends there.
//! What was behind it is found again by what the chunks know of their slots.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr;

use crate::memory::chunk::Chunk;
use crate::memory::slot::Link;
use crate::strategy::free_list::InFreeList;
use crate::strategy::state::Slots;

impl Slots<InFreeList> {
    /// Lists all vacant slots anew, but `last` and those that `is_elsewhere`.
    ///
    /// What was written over a link stays there, to be found when the slot is handed out. It ends its list, and so comes
    /// last there: one slot of those that were written over, behind all others.
    pub(super) fn list_anew(&self, is_elsewhere: &dyn Fn(*mut u8) -> bool, slot: Layout) {
        if self.cursor.is_closed.get() {
            for chunk in self.cursor.chain.iter() {
                chunk.begin_count(chunk.used.get());
            }
            self.list_in_chunks(is_elsewhere, slot);
            return;
        }
        let last = self.strategy.last.get();
        self.strategy.head.set(ptr::null_mut());
        let listed = self.list_all(|_| &self.strategy.head, slot, &|vacant| {
            ptr::addr_eq(vacant, last) || is_elsewhere(vacant)
        });
        self.lay_floor(self.cursor.circulating(slot) - listed, slot);
    }

    /// Lists the vacant slots in their chunks, which have begun to count.
    pub(super) fn list_in_chunks(&self, is_elsewhere: &dyn Fn(*mut u8) -> bool, slot: Layout) {
        self.list_all(
            |chunk| {
                chunk.vacant_count.set(chunk.vacant_count.get() + 1);
                &chunk.vacant
            },
            slot,
            is_elsewhere,
        );
    }

    /// Lists each vacant slot in what `head_of` says for its chunk; returns how many.
    fn list_all<'a>(
        &'a self,
        head_of: impl Fn(&'a Chunk) -> &'a Cell<*mut Link>,
        slot: Layout,
        is_elsewhere: &dyn Fn(*mut u8) -> bool,
    ) -> usize {
        let mut listed = 0;
        // Those that were written over, and then the others before them.
        for are_whole in [false, true] {
            self.for_each_used(slot, |chunk, vacant| {
                if chunk.is_occupied(vacant.addr(), slot) == Some(true) || is_elsewhere(vacant) {
                    return;
                }
                // SAFETY: a slot that is vacant, and was used, was filled (`base/watch/hardened.rs`).
                let is_whole = unsafe { self.clear_at(vacant, slot) };
                if is_whole == are_whole {
                    let head = head_of(chunk);
                    // SAFETY: the slot is vacant, and in no list any more.
                    unsafe { Link::write(vacant.cast(), head.get()) };
                    head.set(vacant.cast());
                    listed += 1;
                }
            });
        }
        listed
    }

    /// Takes the links out of all slots, which are vacant: one that is in no list holds none.
    pub(super) fn clear(&self, slot: Layout) {
        self.for_each_used(slot, |_, vacant| {
            // SAFETY: as in `list_all`.
            unsafe { self.clear_at(vacant, slot) };
        });
    }

    /// [`Link::clear`].
    ///
    /// # Safety
    ///
    /// The slot is vacant, and was filled.
    unsafe fn clear_at(&self, vacant: *mut u8, slot: Layout) -> bool {
        let is_slot = |next| self.cursor.chain.has_slot_at(next, slot);
        // SAFETY: passed on from the caller.
        unsafe { Link::clear(vacant.cast(), is_slot) }
    }

    /// Shows the slots that were used since the pool was last empty.
    fn for_each_used<'a>(&'a self, slot: Layout, mut show: impl FnMut(&'a Chunk, *mut u8)) {
        for chunk in self.cursor.chain.iter() {
            for at in 0..self.cursor.used_in(chunk, slot) {
                show(chunk, chunk.slot(at, slot));
            }
        }
    }
}
