//! What a pool is made of, without a type: its slots, and what they ask of a strategy.

use core::alloc::Layout;
use core::ptr::NonNull;

use crate::base::ledger;
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
}

/// A way to remember vacant slots: [`InFreeList`](crate::strategy::InFreeList) or
/// [`InPointerStack`](crate::strategy::InPointerStack). Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a strategy",
    label = "expected `InFreeList` or `InPointerStack`",
    note = "`FreeList<T>` is a `TypedPool<T, InFreeList>`, and `PointerStack<T>` a `TypedPool<T, InPointerStack>`"
)]
#[allow(private_bounds, reason = "that is what seals it")]
pub trait Strategy: Remember + 'static {}

/// What a pool asks of its strategy. `Self` is what the strategy keeps; the rest of the pool's state, such as the
/// bump cursor, is in the [`Slots`] around it.
///
/// Compiled once for all element types, except for the two hot paths. Every function takes the slots' layout,
/// always the same, whose size is not zero and a multiple of the alignment. Only the heap is ever called from in
/// here, and only with the state in order, since the heap may be a user of this very pool.
pub(crate) trait Remember: Sized {
    /// The state of a pool without chunks: a constant, since a `const fn` cannot call a trait's function.
    const EMPTY: Self;

    /// Whether a vacant slot holds a [`Link`](crate::memory::slot::Link), and so has room for one.
    const IS_INTRUSIVE: bool;

    /// Whether each slot is a block of the heap, and there are no chunks.
    const HAS_BLOCKS: bool = false;

    /// With blocks: the capacity of a static pool, which has room for so many from the start. 0 if it grows.
    const CAPACITY: usize = 0;

    /// What it is called where pools are listed.
    const KIND: ledger::Strategy;

    /// The typed pool with this strategy.
    const TYPED_POOL: &'static str;

    /// The raw pool with this strategy.
    const RAW_POOL: &'static str;

    /// The array that growth has replaced. It goes back to the heap, which may be a user of this very pool and trim
    /// it: so the array is kept until a slot of the new chunk has been taken.
    type OldArray;

    /// Takes the vacant slot that comes first, if one is remembered.
    fn pop(slots: &Slots<Self>, slot: Layout) -> Option<*mut u8>;

    /// Takes a slot back. Does not allocate.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    unsafe fn push(slots: &Slots<Self>, freed: *mut u8, slot: Layout);

    /// Asks the heap for a slot, where each is a block; `None` at the limit.
    fn allocate(slots: &Slots<Self>, slot: Layout) -> Option<NonNull<u8>> {
        let _ = (slots, slot);
        None
    }

    /// The current chunk is used up: goes on with the next.
    fn advance(slots: &Slots<Self>, slot: Layout);

    /// Appends a chunk of `count` slots; `None`, with the chunk in no chain, if that cannot be done.
    fn append(
        slots: &Slots<Self>,
        chunk: NonNull<Chunk>,
        count: usize,
        slot: Layout,
    ) -> Option<Self::OldArray>;

    /// The largest block that an empty pool asks the heap for to make `count` slots; `None` where no block can
    /// be that large.
    fn largest_block(count: usize, slot: Layout) -> Option<Layout> {
        Chunk::bytes_for(count, slot)
    }

    /// The bytes of a slot, or of what is kept of it beside the chunks, if that is more.
    fn bytes_each(slot: Layout) -> usize {
        slot.size()
    }

    /// All slots are vacant from here on, and count as never used: the oldest chunk comes first, and of it
    /// the lowest address.
    fn reset(slots: &Slots<Self>, slot: Layout);

    /// Takes a slot back that [`Remember::push`] left to [`Slots::push_rare`]: mostly the last that was not vacant.
    fn push_last(slots: &Slots<Self>, freed: *mut u8, slot: Layout) {
        let _ = freed;
        Self::reset(slots, slot);
    }

    /// Whether a vacant slot is remembered. Of a pool that is not closed.
    fn has_vacant(slots: &Slots<Self>) -> bool;

    /// Slots that are live. Of a pool that is not closed.
    fn live(slots: &Slots<Self>, slot: Layout) -> usize;

    /// Heap bytes that are held beside the chunks.
    fn bytes_beside(&self) -> usize {
        0
    }

    /// How many of these bytes a trim gives back that leaves `slots` slots.
    fn bytes_too_many(&self, slots: usize) -> usize {
        let _ = slots;
        0
    }

    /// Shows the vacant slots that are remembered.
    fn for_each_vacant(slots: &Slots<Self>, slot: Layout, show: &mut dyn FnMut(*mut u8));

    /// The slot that was freed last, if it is known and still vacant; null or no slot if not.
    fn last_freed(slots: &Slots<Self>) -> *mut u8;

    /// Gives the chunks without a live slot back to the heap; returns their bytes, and others that this
    /// saves. Of a pool that is not closed.
    fn trim(slots: &Slots<Self>, slot: Layout) -> usize;

    /// Closes a pool that is not closed yet: gives back what is not in use, and makes every
    /// [`Remember::pop`] fail and every [`Remember::push`] call
    /// [`Remember::push_closed`].
    fn close(slots: &Slots<Self>, slot: Layout);

    /// Takes a vacant slot of a closed pool that no chunk lists.
    fn pop_closed(slots: &Slots<Self>, slot: Layout) -> Option<*mut u8> {
        let _ = (slots, slot);
        None
    }

    /// Takes a slot back into a closed pool.
    ///
    /// # Safety
    ///
    /// As for [`Slots::put`].
    unsafe fn push_closed(slots: &Slots<Self>, freed: *mut u8, slot: Layout);
}
