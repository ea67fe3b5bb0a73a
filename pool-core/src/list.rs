//! The intrusive free list, with the layout of a slot as an argument: the machinery under
//! [`FreeList`](crate::FreeList), compiled once for all element types but for its two hot paths.
//!
//! # The hot pair
//!
//! Three places give a slot, asked in this order:
//!
//! 1. `last`, the slot that was freed last. Its link is not written before the next slot is freed,
//!    so an object that is made and destroyed at once moves one pointer and touches no list.
//! 2. `head`, the list through the vacant slots, newest first.
//! 3. `bump`, the first slot of the current chunk that was never used. Nothing is written into a
//!    slot ahead of its use.
//!
//! # Emptiness for free
//!
//! A pool that has emptied hands its slots out again in address order, or the next frame's tree
//! lies scattered over the memory of the last one's. So the pool has to know the moment, and a
//! counter of live slots makes the hot pair a third to three quarters slower (`docs/decisions.md`).
//! `floor` is that counter in disguise. As soon as there is a chunk, it trails `bump`:
//!
//! ```text
//! bump - floor == (occupied - 1) * slot size
//! ```
//!
//! where *occupied* counts the slots that are neither in the list nor never used, that is, the live
//! ones and the one in `last`. Handing out a never-used slot moves `bump` and thereby counts it.
//! Only the list's own push and pop move `floor`, and `last` keeps both away from the hot pair.
//! After a push, `floor == bump` says that the one occupied slot is the one now in `last`: the pool
//! is empty. Across chunks the two move together, so the distance holds.

use core::alloc::Layout;
use core::cell::Cell;
use core::ptr::{self, NonNull};

use crate::chunk::{Chain, Chunk, Place};
use crate::config::Config;
use crate::sanitizer;
use crate::slot::Link;

/// Bytes of slots in a first chunk whose size nobody chose.
const FIRST_CHUNK_BYTES: usize = 8 * 1024;
/// The fewest slots in such a chunk.
const FIRST_CHUNK_SLOTS: usize = 8;

/// What stands in `last` once the pool's thread has begun to end (`settle.rs`): not null, so that
/// every free looks at `floor`, and not a slot.
const CLOSED: *mut Link = ptr::without_provenance_mut(1);

/// The state of a free list. Every method takes the slots' layout, always the same.
pub(crate) struct List {
    /// The slot freed last, its link not yet written; null if there is none, or [`CLOSED`].
    pub(crate) last: Cell<*mut Link>,
    /// The list through the vacant slots, null if it is empty.
    pub(crate) head: Cell<*mut Link>,
    /// The next slot that was never used.
    pub(crate) bump: Cell<*mut u8>,
    /// The end of the chunk into which `bump` points.
    pub(crate) end: Cell<*mut u8>,
    /// See the module's documentation. An address, not a pointer: it never leads anywhere.
    pub(crate) floor: Cell<usize>,
    pub(crate) chain: Chain,
    /// Slots in the chunks that were used up before the current one.
    used_up: Cell<usize>,
    /// The most slots that were ever live at a time, as far as `bump` has forgotten it.
    pub(crate) peak: Cell<usize>,
    pub(crate) config: Config,
}

impl List {
    /// A list without chunks, which grows as far as memory lasts.
    ///
    /// The same for all slots, so that the thousand pools of a program have a constant to copy, and
    /// the compiler does not evaluate a function for each.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self {
        last: Cell::new(ptr::null_mut()),
        head: Cell::new(ptr::null_mut()),
        bump: Cell::new(ptr::null_mut()),
        end: Cell::new(ptr::null_mut()),
        floor: Cell::new(0),
        chain: Chain::new(),
        used_up: Cell::new(0),
        peak: Cell::new(0),
        config: Config::new(),
    };

    pub(crate) const fn new(config: Config) -> Self {
        Self { config, ..Self::EMPTY }
    }

    /// Takes a slot without growing; `None` if that cannot be done ([`List::refill`] can, perhaps).
    #[inline(always)]
    pub(crate) fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        let (last, head, bump) = (self.last.get(), self.head.get(), self.bump.get());
        let taken = if last.addr() > CLOSED.addr() {
            self.last.set(ptr::null_mut());
            last.cast()
        } else if !head.is_null() {
            // SAFETY: `head` is vacant and was linked when it came into the list (`put`).
            self.head.set(unsafe { Link::read(head) });
            self.floor.set(self.floor.get().wrapping_sub(slot.size()));
            head.cast()
        } else if bump != self.end.get() {
            // Inside the chunk or at its end, where wrapping or not makes no difference.
            self.bump.set(bump.wrapping_add(slot.size()));
            bump
        } else {
            return None;
        };
        sanitizer::unpoison(taken, slot.size());
        // SAFETY: `last` and `head` were just found not to be null, and `bump` is so only where it
        // equals `end`.
        Some(unsafe { NonNull::new_unchecked(taken) })
    }

    /// Takes a slot back.
    ///
    /// # Safety
    ///
    /// `freed` came from [`List::take`] or [`List::refill`] of this list and has not been taken
    /// back since; it may be used to write a link there, and nobody uses the slot any more.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        sanitizer::poison(freed, slot.size());
        let last = self.last.get();
        if !last.is_null() {
            let floor = self.floor.get().wrapping_add(slot.size());
            if floor == self.bump.get().addr() {
                // SAFETY: passed on from the caller.
                unsafe { put_rare(self, freed, slot.size(), slot.align()) };
                return;
            }
            self.floor.set(floor);
            // SAFETY: `last` is vacant; it is not `CLOSED`, with which `floor` never differs.
            unsafe { Link::write(last, self.head.get()) };
            self.head.set(last);
        }
        self.last.set(freed.cast());
    }

    /// Takes a slot where [`List::take`] found none: from the next chunk, or from a new one. `None`
    /// if the pool is at its limit or the heap has no room ([`List::is_at_limit`] tells which).
    pub(crate) fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        if self.is_closed() {
            return self.take_closed(slot);
        }
        if !self.chain.has_untouched() {
            let has_grown = self.grow(slot);
            // The heap may be a user of this very pool, and have made room in it meanwhile.
            let taken = self.take(slot);
            if taken.is_some() || !has_grown {
                return taken;
            }
        }
        let occupied = self.occupied(slot);
        self.used_up.set(self.circulating(slot));
        self.chain.advance();
        self.go_on_at(|chunk| chunk.start, occupied, slot);
        self.take(slot)
    }

    /// Appends the next chunk; `false` at the limit, or if the heap has no room.
    ///
    /// As many slots as there are already, so that a pool of n slots has O(log n) chunks; fewer if
    /// the limit leaves no more, or if the heap refuses so large a block.
    pub(crate) fn grow(&self, slot: Layout) -> bool {
        let present = self.chain.slots();
        let room = self.config.max.saturating_sub(present);
        let (first, least) = match self.config.first {
            0 => ((FIRST_CHUNK_BYTES / slot.size()).max(FIRST_CHUNK_SLOTS), 1),
            first => (first, first),
        };
        let least = least.min(room);
        let mut slots = present.max(first).min(room);
        while slots > 0 {
            if self.grow_by(slots, slot) {
                return true;
            }
            if slots == least {
                return false;
            }
            slots = (slots / 2).max(least);
        }
        false
    }

    /// Appends a chunk of `slots` slots; `false` if the heap has no room for it.
    pub(crate) fn grow_by(&self, slots: usize, slot: Layout) -> bool {
        let Some(chunk) = Chunk::allocate(slots, slot) else { return false };
        if slots > self.config.max.saturating_sub(self.chain.slots()) {
            // The heap is a user of this very pool, which has grown meanwhile.
            // SAFETY: the chunk is in no chain, and none of its slots was handed out.
            unsafe { Chunk::release(chunk) };
            return false;
        }
        self.chain.append(chunk);
        true
    }

    /// Whether the pool has as many slots as it may have.
    pub(crate) fn is_at_limit(&self) -> bool {
        self.chain.slots() >= self.config.max
    }

    /// Goes on at `fresh` in the current chunk, with `occupied` slots outside the list.
    fn go_on_at(&self, fresh: impl Fn(&Chunk) -> *mut u8, occupied: usize, slot: Layout) {
        let (bump, end) = match self.chain.current() {
            Some(chunk) => (fresh(chunk), chunk.end(slot)),
            None => (ptr::null_mut(), ptr::null_mut()),
        };
        self.bump.set(bump);
        self.end.set(end);
        let distance = occupied.wrapping_sub(1).wrapping_mul(slot.size());
        self.floor.set(bump.addr().wrapping_sub(distance));
    }

    /// The pool has emptied: all slots count as never used again, the lowest address first.
    pub(crate) fn reset(&self, slot: Layout) {
        self.peak.set(self.high_water(slot));
        self.last.set(ptr::null_mut());
        self.head.set(ptr::null_mut());
        self.used_up.set(0);
        self.chain.rewind();
        self.go_on_at(|chunk| chunk.start, 0, slot);
    }

    /// Goes on with the settled chunks that a trim has left, `live` slots of them live and the list
    /// empty.
    pub(crate) fn restart(&self, live: usize, slot: Layout) {
        let is_earlier = |chunk: &&Chunk| self.chain.place(chunk) == Place::UsedUp;
        self.used_up.set(self.chain.iter().filter(is_earlier).map(|chunk| chunk.slots).sum());
        self.go_on_at(|chunk| chunk.fresh.get(), live, slot);
    }

    /// Moves the first slot of the list to `last`, if there is one.
    ///
    /// Only a put that finds `last` taken notices that the pool is empty. So wherever slots are
    /// vacant, one must be there, unless it has just been handed out.
    pub(crate) fn fill_last(&self, slot: Layout) {
        if let Some(first) = self.unlink() {
            self.last.set(first);
            self.floor.set(self.floor.get().wrapping_sub(slot.size()));
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.last.get() == CLOSED
    }

    /// Makes every `take` and every `put` go the rare way from here on.
    #[cfg(feature = "std")]
    pub(crate) fn close_hot_paths(&self, slot: Layout) {
        self.last.set(CLOSED);
        self.head.set(ptr::null_mut());
        self.chain.forget_current();
        self.bump.set(ptr::null_mut());
        self.end.set(ptr::null_mut());
        self.floor.set(0_usize.wrapping_sub(slot.size()));
    }

    /// Slots that were handed out at least once since the pool was last empty.
    ///
    /// Never-used slots are handed out only when all others are live, so this is also the most
    /// slots that were live at a time since then. Meaningless in a closed pool.
    pub(crate) fn circulating(&self, slot: Layout) -> usize {
        let start = self.chain.current().map_or(ptr::null_mut(), |chunk| chunk.start);
        self.used_up.get() + (self.bump.get().addr() - start.addr()) / slot.size()
    }

    /// The first slot of a chunk that was never used.
    pub(crate) fn fresh_in(&self, chunk: &Chunk, slot: Layout) -> *mut u8 {
        if self.is_closed() {
            return chunk.fresh.get();
        }
        match self.chain.place(chunk) {
            Place::UsedUp => chunk.end(slot),
            Place::Current => self.bump.get(),
            Place::Untouched => chunk.start,
        }
    }

    /// How many slots of a chunk were ever used.
    pub(crate) fn used_in(&self, chunk: &Chunk, slot: Layout) -> usize {
        (self.fresh_in(chunk, slot).addr() - chunk.start.addr()) / slot.size()
    }

    /// The vacant slots that are listed, in the order in which they will be handed out.
    pub(crate) fn vacant_slots(&self) -> impl Iterator<Item = *mut Link> {
        let last = self.last.get();
        let last = (last.addr() > CLOSED.addr()).then_some(last);
        let of_chunks = self.is_closed().then(|| self.chain.iter().map(|chunk| &chunk.vacant));
        let heads = core::iter::once(&self.head).chain(of_chunks.into_iter().flatten());
        last.into_iter().chain(heads.flat_map(|head| links_from(head.get())))
    }

    /// The most slots that were ever live at a time.
    pub(crate) fn high_water(&self, slot: Layout) -> usize {
        let lately = if self.is_closed() { 0 } else { self.circulating(slot) };
        self.peak.get().max(lately)
    }

    /// Slots that are neither in the list nor never used. Meaningless in a closed pool.
    pub(crate) fn occupied(&self, slot: Layout) -> usize {
        if self.bump.get().is_null() {
            // No chunk was used yet, and `floor` says nothing.
            return 0;
        }
        let distance = self.bump.get().addr().wrapping_sub(self.floor.get());
        distance.wrapping_add(slot.size()) / slot.size()
    }

    /// Slots that are live.
    pub(crate) fn live(&self, slot: Layout) -> usize {
        if self.is_closed() {
            self.live_closed()
        } else {
            self.occupied(slot) - usize::from(!self.last.get().is_null())
        }
    }
}

/// The slots of the list that begins with `first`.
fn links_from(first: *mut Link) -> impl Iterator<Item = *mut Link> {
    let listed = |slot: *mut Link| (!slot.is_null()).then_some(slot);
    core::iter::successors(listed(first), move |&slot| {
        // SAFETY: a slot is linked when it comes into a list, and the list stands still: whoever
        // walks it borrows the pool and calls nobody.
        listed(unsafe { Link::read(slot) })
    })
}

/// The free that is not like the others: the pool has emptied, or it is closed.
///
/// `extern "C"`, as nothing in here unwinds: the caller then needs no landing pad, which would
/// force what it holds in registers through the stack.
///
/// # Safety
///
/// As for [`List::put`], of which this is a part.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
unsafe extern "C" fn put_rare(list: &List, freed: *mut u8, slot_size: usize, slot_align: usize) {
    // SAFETY: the two are the parts of a layout.
    let slot = unsafe { Layout::from_size_align_unchecked(slot_size, slot_align) };
    if list.is_closed() {
        // SAFETY: passed on from the caller.
        unsafe { list.put_closed(freed.cast(), slot) };
    } else {
        list.reset(slot);
    }
}
