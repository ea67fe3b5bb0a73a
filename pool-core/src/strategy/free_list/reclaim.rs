//! What a free list does rarely, chunk by chunk: giving memory back, and closing when its thread ends.
//!
//! Both begin by *settling*: every vacant slot leaves the pool's one list for a list of its own
//! chunk, and every chunk counts its vacant slots. Chunks without a live slot go back to the heap.
//! Then a trim gathers the lists into one again, while a closed pool stays settled, so that each
//! chunk can go back as soon as its last slot is freed.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::base::guard::hardened::IS_HARDENED;
use crate::base::guard::sanitizer;
use crate::memory::chunk::Chunk;
use crate::memory::slot::Link;
use crate::strategy::Strategy;
use crate::strategy::free_list::List;

impl List {
    /// [`Strategy::trim`]. O(vacant slots x chunks).
    pub(crate) fn trim_settled(&self, slot: Layout) -> usize {
        if self.region.is_closed.get() {
            // A closed pool keeps no such chunk.
            return 0;
        }
        let live = self.settle(slot);
        // SAFETY: a slot of a vacant chunk is neither live nor, once settled, in the pool's list,
        // and `Region::restart` looks at the chunks that remain.
        let spares = unsafe { self.region.chain.release(Chunk::is_vacant) };
        self.region.restart(slot);
        self.lay_floor(live, slot);
        if IS_HARDENED {
            self.list_anew(&|_| false, slot);
        } else {
            for chunk in self.region.chain.iter() {
                while let Some(vacant) = chunk.unlink(slot) {
                    // SAFETY: the slot has just left its chunk's list.
                    unsafe { self.link(vacant) };
                }
            }
        }
        self.fill_last(slot);
        spares.bytes()
    }

    /// [`Strategy::close`].
    #[cfg(feature = "std")]
    pub(crate) fn close_settled(&self, slot: Layout) {
        if self.region.is_closed.get() {
            return;
        }
        self.settle(slot);
        self.close_hot_paths(slot);
        // SAFETY: as in `trim_settled`; `close_hot_paths` has forgotten the current chunk.
        drop(unsafe { self.region.chain.release(Chunk::is_vacant) });
    }

    /// Takes a slot from a closed pool, in which a linear search is good enough; `None` as
    /// [`Strategy::refill`].
    pub(crate) fn take_closed(&self, slot: Layout) -> Option<NonNull<u8>> {
        let taken = self.region.chain.iter().find_map(|chunk| chunk.take(slot)).or_else(|| {
            self.region.grow(slot, |slots| self.grow_by(slots, slot))?;
            self.region.chain.iter().last()?.take(slot)
        })?;
        self.region.peak.set(self.region.peak.get().max(self.region.live_settled()));
        sanitizer::unpoison(taken, slot.size());
        NonNull::new(taken)
    }

    /// Takes a slot back into a closed pool.
    ///
    /// # Safety
    ///
    /// As for [`Strategy::put`].
    pub(crate) unsafe fn put_closed(&self, freed: *mut Link, slot: Layout) {
        let Some(home) = self.region.chain.find(freed.addr(), slot) else { return };
        // SAFETY: the slot is vacant from here on (caller), and lies in this chunk.
        unsafe { home.link(freed) };
        // SAFETY: none of a vacant chunk's slots is in use, and a closed pool lists them nowhere
        // else.
        drop(unsafe { self.region.chain.release(Chunk::is_vacant) });
    }

    /// Moves every vacant slot to the list of its chunk; returns how many slots are live.
    fn settle(&self, slot: Layout) -> usize {
        let live = self.live(slot);
        self.region.settle(slot);
        if IS_HARDENED {
            self.last.set(ptr::null_mut());
            self.head.set(ptr::null_mut());
            self.list_in_chunks(slot);
        } else {
            self.sort_into_chunks(slot);
        }
        live
    }

    /// Moves every vacant slot to the list of its chunk.
    fn sort_into_chunks(&self, slot: Layout) {
        let last = self.last.replace(ptr::null_mut());
        if !last.is_null() {
            // SAFETY: `last` is vacant and in no list.
            unsafe { self.link(last) };
        }
        let mut home = self.region.chain.first();
        while let Some(vacant) = self.unlink(slot) {
            if !home.is_some_and(|chunk| chunk.spans(vacant.addr(), slot)) {
                home = self.region.chain.find(vacant.addr(), slot);
            }
            if let Some(home) = home {
                // SAFETY: the slot has just left the pool's list, and lies in this chunk.
                unsafe { home.link(vacant) };
            }
        }
    }

    /// Puts a slot into the list, whatever `floor` says.
    ///
    /// # Safety
    ///
    /// `vacant` is a vacant slot of this pool, in no list, good for writing a link there.
    unsafe fn link(&self, vacant: *mut Link) {
        // SAFETY: passed on from the caller.
        unsafe { Link::write(vacant, self.head.get()) };
        self.head.set(vacant);
    }

    /// Takes the first slot out of the list, whatever `floor` says.
    pub(crate) fn unlink(&self, slot: Layout) -> Option<*mut Link> {
        unlink_from(&self.head, |next| self.region.chain.has_slot_at(next, slot))
    }
}

impl Chunk {
    /// Whether no slot of this settled chunk is live.
    pub(crate) fn is_vacant(&self) -> bool {
        self.vacant_count.get() == self.slots
    }

    /// Begins this chunk's account: no vacant slot listed, and so many used.
    pub(crate) fn settle(&self, used: usize) {
        self.vacant.set(ptr::null_mut());
        self.used.set(used);
        self.vacant_count.set(self.slots - used);
    }

    /// Takes a slot of this settled chunk.
    pub(crate) fn take(&self, slot: Layout) -> Option<*mut u8> {
        if let Some(vacant) = self.unlink(slot) {
            return Some(vacant.cast());
        }
        let used = self.used.get();
        if used == self.slots {
            return None;
        }
        self.used.set(used + 1);
        self.vacant_count.set(self.vacant_count.get() - 1);
        Some(self.slot(used, slot))
    }

    /// Puts a slot into this chunk's list.
    ///
    /// # Safety
    ///
    /// `vacant` is a vacant slot of this chunk, in no list, good for writing a link there.
    unsafe fn link(&self, vacant: *mut Link) {
        // SAFETY: passed on from the caller.
        unsafe { Link::write(vacant, self.vacant.get()) };
        self.vacant.set(vacant);
        self.vacant_count.set(self.vacant_count.get() + 1);
    }

    /// Takes the first slot out of this chunk's list.
    fn unlink(&self, slot: Layout) -> Option<*mut Link> {
        let vacant = unlink_from(&self.vacant, |next| self.has_slot_at(next, slot))?;
        self.vacant_count.set(self.vacant_count.get() - 1);
        Some(vacant)
    }
}

/// Takes the first slot out of the list that begins at `head`, in which there are slots of `is_slot`.
fn unlink_from(head: &Cell<*mut Link>, is_slot: impl FnOnce(usize) -> bool) -> Option<*mut Link> {
    let first = head.get();
    if first.is_null() {
        return None;
    }
    // SAFETY: a slot is linked when it comes into a list.
    head.set(unsafe { Link::take(first, is_slot) });
    Some(first)
}
