//! The operations of a pool, whatever its strategy and whatever is in its slots.
//!
//! The watchers (`base/watch`) are called from here, between the strategy and its callers.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::config::Config;
use crate::base::exhausted::Exhausted;
use crate::base::stats;
use crate::base::watch::hardened::{self, Fault, IS_HARDENED};
use crate::base::watch::{IS_CHECKED, IS_WATCHED, sanitizer};
use crate::memory::bump::BumpCursor;
use crate::memory::chunk::Chunk;
use crate::memory::heap;

/// A pool without a type: the strategy `S` remembers the vacant slots, the bump cursor the never-used ones.
/// Dropping it gives its memory back to the heap.
///
/// Every method takes the slots' layout, always the same, whose size is not zero and a multiple of the alignment.
pub(crate) struct Slots<S> {
    pub(crate) strategy: S,
    pub(crate) cursor: BumpCursor,
}

impl<S> Drop for Slots<S> {
    fn drop(&mut self) {
        // SAFETY: the pool is not borrowed, so no box can reach a slot any more; those that took slots by their
        // address were told not to use them after this.
        drop(unsafe { self.cursor.chain.release(|_| true) });
    }
}

impl<S> Slots<S> {
    /// Accounts for a slot that is handed out, where slots are watched one by one.
    #[inline(never)]
    fn note_acquired(&self, taken: NonNull<u8>, slot: Layout) {
        if let Some(home) = self.cursor.chain.find(taken.addr().get(), slot) {
            home.hand_out(taken.as_ptr(), slot);
        }
    }

    /// Accounts for a slot that is taken back.
    ///
    /// Not inlined: boxes in boxes are dropped within each other, and each drop would reserve stack for this.
    #[inline(never)]
    fn note_released(&self, freed: *mut u8, slot: Layout) {
        if let Some(home) = self.cursor.chain.find(freed.addr(), slot) {
            home.take_back(freed, slot);
        }
    }
}

impl<S: Strategy> Slots<S> {
    /// A pool without chunks, which grows as far as memory lasts.
    ///
    /// The same for all element types, so that the thousand pools of a program have a constant to copy, and the
    /// compiler does not evaluate a function for each.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied")]
    pub(crate) const EMPTY: Self = Self::new(Config::new());

    /// A pool without chunks, which grows as `config` says.
    pub(crate) const fn new(config: Config) -> Self {
        Self { strategy: S::EMPTY, cursor: BumpCursor::new(config) }
    }

    /// Takes a slot: a vacant one, the next never-used one, or what `grow` brings. Tells the watchers, and checks the
    /// slot's fill. Returns `None` if there is no slot, or an error with a slot that was written to while it was free.
    ///
    /// Plain branches, since each closure and each combinator is a call in an unoptimised build.
    #[inline(always)]
    pub(crate) fn acquire(
        &self,
        slot: Layout,
        grow: impl FnOnce() -> Option<NonNull<u8>>,
    ) -> Result<Option<NonNull<u8>>, (NonNull<u8>, Fault)> {
        let taken = match self.take(slot) {
            Some(taken) => taken,
            None => match grow() {
                Some(grown) => grown,
                None => return Ok(None),
            },
        };
        if IS_WATCHED {
            self.note_acquired(taken, slot);
            if let Err(fault) = self.check_fill(taken, slot) {
                return Err((taken, fault));
            }
        }
        Ok(Some(taken))
    }

    /// Takes a slot back. Does not allocate.
    ///
    /// # Errors
    ///
    /// Where [`IS_CHECKED`], if no slot begins at the address, or the slot is vacant. Nothing has changed then.
    ///
    /// # Safety
    ///
    /// `freed` came from [`Slots::acquire`] of this pool and has not been released since; it may be used to write to the slot,
    /// and nothing uses the slot any more.
    #[inline(always)]
    pub(crate) unsafe fn release(&self, freed: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        if IS_CHECKED {
            // Also if the element was checked before it was dropped: its destructor has run since.
            match self.check(freed.as_ptr().addr(), slot) {
                Ok(()) => {}
                fault => return fault,
            }
        }
        // SAFETY: the caller gives up a slot of this pool.
        unsafe { self.put(freed.as_ptr(), slot) };
        Ok(())
    }

    /// Takes a slot without growing; `None` if none is at hand (then [`Slots::refill`] may find one).
    ///
    /// A vacant slot comes first, then the next that was never used.
    #[inline(always)]
    pub(crate) fn take(&self, slot: Layout) -> Option<NonNull<u8>> {
        // `or_else` would cost an instruction.
        let taken = match S::pop(self, slot) {
            Some(vacant) => vacant,
            None => self.cursor.take(slot)?,
        };
        if sanitizer::IS_ON {
            sanitizer::unpoison(taken, slot.size());
        }
        // SAFETY: a vacant slot lies in a chunk, as does one that was never used.
        Some(unsafe { NonNull::new_unchecked(taken) })
    }

    /// Takes a slot where [`Slots::take`] found none: from the next chunk, or from a new one.
    /// `None` if the pool is at its limit, or the heap has no room, or the heap is being called already and uses
    /// this very pool.
    ///
    /// `extern "C"`, as it does not unwind: see `push_rare` in `strategy/reclaim.rs`.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    pub(crate) extern "C" fn refill(&self, slot: Layout) -> Option<NonNull<u8>> {
        if self.cursor.is_closed.get() { self.take_closed(slot) } else { self.refill_open(slot) }
    }

    /// [`Slots::refill`] of a pool that is not closed, as no static pool ever is.
    #[inline(always)]
    pub(crate) fn refill_open(&self, slot: Layout) -> Option<NonNull<u8>> {
        if !self.cursor.chain.has_untouched() {
            return self.take_grown(slot);
        }
        S::advance(self, slot);
        self.take(slot)
    }

    /// Takes a slot of a new chunk, or one that was freed by the heap, which may use this very pool.
    #[cold]
    #[inline(never)]
    #[allow(improper_ctypes_definitions, reason = "for `nounwind`; no foreign code calls it")]
    extern "C" fn take_grown(&self, slot: Layout) -> Option<NonNull<u8>> {
        let has_grown = self.grow(slot).is_some();
        let mut taken = self.take(slot);
        if taken.is_none() && has_grown {
            S::advance(self, slot);
            taken = self.take(slot);
        }
        self.note_high_water(slot);
        taken
    }

    /// Appends a chunk, of a size that [`BumpCursor::grow`] chooses.
    pub(super) fn grow(&self, slot: Layout) -> Option<()> {
        self.cursor.grow(slot, |count| self.grow_by(count, slot))
    }

    /// Appends a chunk of `count` slots; `None` if the heap does not allow it.
    pub(crate) fn grow_by(&self, count: usize, slot: Layout) -> Option<()> {
        // The heap is not asked at all if it cannot give everything.
        largest_block(count, slot)?;
        self.cursor.at_heap(|| {
            let chunk = Chunk::allocate(count, slot)?;
            // `SharedByLayout` as an allocator takes its slots back by their addresses.
            #[cfg(feature = "allocator-api2-02")]
            let _ = chunk.as_ptr().expose_provenance();
            let appended = S::append(self, chunk, count, slot);
            if appended.is_none() {
                // SAFETY: the chunk is in no chain, and none of its slots was handed out.
                unsafe { Chunk::release(chunk) };
            }
            appended
        })
    }

    /// Returns the pool's own pointer to a slot that a container gives back. Of the container's pointer only the address is
    /// used: its provenance may cover only the container's part of the slot. O(chunks).
    pub(crate) fn reach(&self, block: NonNull<u8>, slot: Layout) -> NonNull<u8> {
        let home = self.cursor.chain.find(block.addr().get(), slot);
        let own = home.map(|home| home.start().with_addr(block.addr().get()));
        own.and_then(NonNull::new).unwrap_or(block)
    }

    /// Makes room for `additional` more slots, in a pool that is called `name` unless it was given a name.
    pub(crate) fn try_reserve(
        &self,
        additional: usize,
        name: &'static str,
        slot: Layout,
    ) -> Result<(), Exhausted> {
        self.make_room(additional, slot).map_err(|request| {
            self.refused();
            let (config, counts) = (&self.cursor.config, (self.live(slot), additional));
            Exhausted::to_reserve(name, config, counts, bytes_each(slot), request)
        })
    }

    /// [`Slots::try_reserve`], with the layout that the heap refused.
    fn make_room(&self, additional: usize, slot: Layout) -> Result<(), Option<Layout>> {
        let (cursor, config) = (&self.cursor, &self.cursor.config);
        let present = cursor.chain.slots();
        let vacant = present - self.live(slot);
        let Some(missing @ 1..) = additional.checked_sub(vacant) else { return Ok(()) };
        let room = cursor.room();
        if missing > room {
            return Err(None);
        }
        // A reserve of one at a time must not make a chunk of each, and the fixed block of a
        // bounded pool is made whole or not at all.
        let least = if config.is_fixed() { room } else { missing };
        let grown = heap::grow(present, least, room, |count| self.grow_by(count, slot));
        if cursor.is_closed.get() {
            cursor.chain.go_to_last();
        }
        grown.ok_or_else(|| largest_block(least, slot))
    }

    /// Checks that a slot that was just taken still has its fill. If not, frees it again, which fills it
    /// anew.
    #[inline(always)]
    pub(crate) fn check_fill(&self, taken: NonNull<u8>, slot: Layout) -> Result<(), Fault> {
        if IS_HARDENED {
            // SAFETY: slots are filled when their chunk is made, and when they are put back.
            let checked = unsafe { hardened::check_fill(taken.as_ptr(), slot.size()) };
            if checked.is_err() {
                // SAFETY: the slot came from this pool, and was not handed out.
                unsafe { self.put(taken.as_ptr(), slot) };
                return checked;
            }
        }
        Ok(())
    }

    /// Checks that a slot which begins at the address can be given back. O(chunks).
    ///
    /// A debug build calls this for each box that is dropped.
    pub(crate) fn check(&self, address: usize, slot: Layout) -> Result<(), Fault> {
        if !IS_HARDENED
            && self.cursor.is_handed_out(address, slot)
            && S::last_freed(self).addr() != address
        {
            return Ok(());
        }
        let Some(home) = self.cursor.chain.find(address, slot) else { return Err(Fault::Foreign) };
        let offset = (address - home.start().addr()) % slot.size();
        if offset != 0 {
            return Err(Fault::Interior { offset });
        }
        if IS_HARDENED && home.is_occupied(address, slot) != Some(false) {
            return Ok(());
        }
        Err(Fault::Vacant)
    }

    /// Takes a slot back. Does not allocate.
    ///
    /// # Safety
    ///
    /// `freed` came from [`Slots::take`], [`Slots::refill`] or `take_run` of this pool and has not been taken back since; it may be used
    /// to write a link there, and nothing uses the slot any more.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, freed: *mut u8, slot: Layout) {
        if IS_WATCHED {
            // SAFETY: nothing uses the slot any more (caller).
            unsafe { hardened::fill(freed, slot.size()) };
            self.note_released(freed, slot);
        }
        if sanitizer::IS_ON {
            sanitizer::poison(freed, slot.size());
        }
        // SAFETY: the caller gives up a slot of this pool.
        unsafe { S::push(self, freed, slot) };
    }
}

/// The largest block that an empty pool asks the heap for to make `count` slots; `None` where no block can be that large.
pub(crate) fn largest_block(count: usize, slot: Layout) -> Option<Layout> {
    let (chunk, _) = Chunk::layout(count, slot)?;
    // A pointer stack's, of an address a slot. In a free list a slot is no smaller than that.
    let array = Layout::array::<*mut u8>(count).ok()?;
    Some(if chunk.size() < array.size() { array } else { chunk })
}

/// The bytes of a slot, or of what a pointer stack keeps of it beside the chunks, if that is more.
pub(super) fn bytes_each(slot: Layout) -> usize {
    slot.size().max(size_of::<*mut u8>())
}

/// A way to remember vacant slots: [`InFreeList`](crate::strategy::InFreeList) or
/// [`InPointerStack`](crate::strategy::InPointerStack). Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a strategy",
    label = "expected `InFreeList` or `InPointerStack`",
    note = "`FreeList<T>` is a `TypedPool<T, InFreeList>`, and `PointerStack<T>` a `TypedPool<T, InPointerStack>`"
)]
#[allow(private_bounds, reason = "that is what seals it")]
pub trait Strategy: SlotStore + 'static {}

/// The operations that a pool asks of its strategy. `Self` is the strategy's state; the rest of the pool's state, such as the
/// bump cursor, is in the [`Slots`] around it.
///
/// Compiled once for all element types, except for the two hot paths. Every function takes the slots' layout,
/// always the same, whose size is not zero and a multiple of the alignment. Only the heap is ever called from in
/// here, and only with the state in order, since the heap may be a user of this very pool.
pub(crate) trait SlotStore: Sized {
    /// The state of a pool without chunks: a constant, since a `const fn` cannot call a trait's function.
    const EMPTY: Self;

    /// Whether a vacant slot holds a [`Link`](crate::memory::slot::Link), and so has room for one.
    const IS_INTRUSIVE: bool;

    /// Its name in lists of pools.
    const KIND: stats::Strategy;

    /// The typed pool with this strategy.
    const TYPED_POOL: &'static str;

    /// The raw pool with this strategy.
    const RAW_POOL: &'static str;

    /// Takes the vacant slot that comes first, if one is remembered.
    fn pop(slots: &Slots<Self>, slot: Layout) -> Option<*mut u8>;

    /// Takes a slot back. Does not allocate.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    unsafe fn push(slots: &Slots<Self>, freed: *mut u8, slot: Layout);

    /// The current chunk is used up: goes on with the next.
    fn advance(slots: &Slots<Self>, slot: Layout) {
        slots.cursor.advance(slot);
    }

    /// Appends a chunk of `count` slots; `None`, with the chunk in no chain, if that cannot be done.
    fn append(slots: &Slots<Self>, chunk: NonNull<Chunk>, count: usize, slot: Layout)
    -> Option<()>;

    /// All slots are vacant from here on, and count as never used: the oldest chunk comes first, and of it
    /// the lowest address.
    fn reset(slots: &Slots<Self>, slot: Layout);

    /// Takes a slot back that [`SlotStore::push`] left to [`Slots::push_rare`], in a pool that is not closed: mostly the last live
    /// one.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    unsafe fn push_last(slots: &Slots<Self>, _freed: *mut u8, slot: Layout) {
        Self::reset(slots, slot);
    }

    /// Returns the number of live slots of a pool that is not closed.
    fn live(slots: &Slots<Self>, slot: Layout) -> usize;

    /// Heap bytes that are held beside the chunks.
    fn bytes_beside(&self) -> usize {
        0
    }

    /// Shows the vacant slots that are remembered.
    fn for_each_vacant(slots: &Slots<Self>, slot: Layout, show: &mut dyn FnMut(*mut u8));

    /// The slot that was freed last, if it is known and still vacant; null or no slot if not.
    fn last_freed(slots: &Slots<Self>) -> *mut u8;

    /// Gives back what is held beside the chunks and not needed; returns the bytes.
    fn fit(_slots: &Slots<Self>) -> usize {
        0
    }

    /// Remembers a slot that [`SlotStore::push`] left to [`Slots::push_rare`], in a closed pool.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    unsafe fn keep(slots: &Slots<Self>, freed: *mut u8);

    /// Has the chunks count the slots that `pop` would give; returns how many these are, and whether a chunk has no live slot any
    /// more.
    fn count(slots: &Slots<Self>, slot: Layout) -> (usize, bool);

    /// Forgets the slots of the chunks that have counted all of theirs as vacant.
    fn forget_vacant(_slots: &Slots<Self>, _slot: Layout) {}

    /// Goes on when the chunks have counted: `pop` gives the slots that were counted. In a closed pool `pop` gives nothing, and the
    /// `push` that would raise the slots at hand to [`BumpCursor::window`] leaves its slot to [`Slots::push_rare`].
    fn resume(slots: &Slots<Self>, slot: Layout);

    /// Takes at most `most` slots of a closed pool out of its chunks' counts, so that `pop` gives them again; returns how many.
    fn unsettle(slots: &Slots<Self>, most: usize, slot: Layout) -> usize;

    /// Returns how many slots of a closed pool `pop` would give.
    fn unsettled(slots: &Slots<Self>) -> usize;
}
