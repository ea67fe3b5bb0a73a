//! What a free list does rarely (`strategy/reclaim.rs`).
//!
//! Every vacant slot leaves the pool's one list for a list of its own chunk. A trim then gathers the lists into one
//! again, while a closed pool leaves them to the chunks.

use core::alloc::Layout;
use core::ptr;

use crate::memory::chunk::Chunk;
use crate::memory::slot::Link;
use crate::strategy::free_list::CLOSED;
use crate::strategy::free_list::InFreeList;
use crate::strategy::reclaim::unlink_from;
use crate::strategy::remember::{Reclaim, Remember};
use crate::strategy::state::Slots;

impl Reclaim for InFreeList {
    fn trim(slots: &Slots<Self>, slot: Layout) -> usize {
        if slots.cursor.is_closed.get() {
            // SAFETY: as below; nothing is listed but in chunks.
            return unsafe { slots.cursor.chain.release(Chunk::is_vacant) }.bytes();
        }
        let live = slots.sort_into_chunks(slot);
        // SAFETY: a slot of a vacant chunk is neither live nor in the pool's list any more, and
        // `BumpCursor::restart` looks at the chunks that remain.
        let spares = unsafe { slots.cursor.chain.release(Chunk::is_vacant) };
        slots.cursor.restart(slot);
        slots.lay_floor(live, slot);
        for chunk in slots.cursor.chain.iter() {
            while let Some(vacant) = chunk.unlink() {
                // SAFETY: the slot has just left its chunk's list.
                unsafe { slots.link(vacant) };
            }
        }
        slots.fill_last(slot);
        spares.bytes()
    }

    fn close(slots: &Slots<Self>, slot: Layout) {
        slots.sort_into_chunks(slot);
        // Every `pop` and every `push` goes the rare way from here on.
        slots.strategy.last.set(CLOSED);
        slots.strategy.head.set(ptr::null_mut());
        slots.cursor.close();
        // As before the free that leaves the last live slot alone.
        slots.lay_floor(2, slot);
        // SAFETY: as in `trim`; `BumpCursor::close` has forgotten the current chunk.
        drop(unsafe { slots.cursor.chain.release(|chunk| slots.cursor.is_spare(chunk)) });
    }

    fn pop_closed(_: &Slots<Self>, _: Layout) -> Option<*mut u8> {
        None
    }

    unsafe fn push_closed(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let Some(home) = slots.cursor.chain.find(freed.addr(), slot) else { return };
        // SAFETY: the slot is vacant from here on (caller), and lies in this chunk.
        unsafe { home.link(freed.cast()) };
        // SAFETY: none of a vacant chunk's slots is in use, and a closed pool lists them nowhere
        // else.
        drop(unsafe { slots.cursor.chain.release(|chunk| slots.cursor.is_spare(chunk)) });
    }
}

impl Slots<InFreeList> {
    /// Moves the first slot of the list to `last`, if there is one.
    ///
    /// Only a put that finds `last` taken notices that the pool is empty. So wherever slots are
    /// vacant, one must be there, unless it has just been handed out.
    fn fill_last(&self, slot: Layout) {
        if let Some(first) = unlink_from(&self.strategy.head) {
            let list = &self.strategy;
            list.last.set(first);
            list.floor.set(list.floor.get().wrapping_sub(slot.size()));
        }
    }

    /// Moves every vacant slot to the list of its chunk; returns how many slots are live.
    fn sort_into_chunks(&self, slot: Layout) -> usize {
        let live = InFreeList::live(self, slot);
        self.cursor.begin_counts(slot);
        let last = self.strategy.last.replace(ptr::null_mut());
        if !last.is_null() {
            // SAFETY: `last` is vacant and in no list.
            unsafe { self.link(last) };
        }
        let mut home = self.cursor.chain.first();
        while let Some(vacant) = unlink_from(&self.strategy.head) {
            if !home.is_some_and(|chunk| chunk.spans(vacant.addr(), slot)) {
                home = self.cursor.chain.find(vacant.addr(), slot);
            }
            if let Some(home) = home {
                // SAFETY: the slot has just left the pool's list, and lies in this chunk.
                unsafe { home.link(vacant) };
            }
        }
        live
    }

    /// Puts a slot into the list, whatever `floor` says.
    ///
    /// # Safety
    ///
    /// `vacant` is a vacant slot of this pool, in no list, good for writing a link there.
    unsafe fn link(&self, vacant: *mut Link) {
        // SAFETY: passed on from the caller.
        unsafe { Link::write(vacant, self.strategy.head.get()) };
        self.strategy.head.set(vacant);
    }
}

impl Chunk {
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
}
